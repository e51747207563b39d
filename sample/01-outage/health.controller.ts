import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { ChainHealthService } from 'nestjs-fallback';
import type { ChainHealth } from 'nestjs-fallback';

interface Health {
  status: ChainHealth['status'];
  chains: ReturnType<ChainHealthService['check']>;
}

/** 200 as long as every chain can answer, also degraded; 503 if one cannot. Reading it calls no upstream. */
@Controller('health')
export class HealthController {
  constructor(private readonly health: ChainHealthService) {}

  @Get()
  check(): Health {
    const report = { status: this.health.status(), chains: this.health.check() };
    if (report.status === 'down') throw new ServiceUnavailableException(report);
    return report;
  }
}
