import { Controller, Get, Query } from '@nestjs/common';
import { GeocoderService } from './geocoder.service.js';
import type { Geocoding } from './geocoding.js';

@Controller('geocode')
export class GeocoderController {
  constructor(private readonly geocoder: GeocoderService) {}

  @Get()
  locate(@Query('address') address: string): Promise<Geocoding> {
    return this.geocoder.locate(address);
  }
}
