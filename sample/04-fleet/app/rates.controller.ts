import { Controller, Get, Param } from '@nestjs/common';
import type { Rate } from './rate.js';
import { RatesService } from './rates.service.js';

@Controller('rates')
export class RatesController {
  constructor(private readonly rates: RatesService) {}

  @Get(':currency')
  rate(@Param('currency') currency: string): Promise<Rate> {
    return this.rates.rateOf(currency);
  }
}
