import { Controller, Get } from '@nestjs/common';
import { ChainHealthService } from 'nestjs-fallback';
import type { ChainHealth } from 'nestjs-fallback';

/** How this process sees its chain. Reading it calls nobody. */
@Controller('health')
export class HealthController {
  constructor(private readonly health: ChainHealthService) {}

  @Get()
  check(): ChainHealth {
    return this.health.snapshot('rates');
  }
}
