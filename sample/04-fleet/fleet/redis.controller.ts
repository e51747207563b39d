import { Controller, HttpCode, Post } from '@nestjs/common';
import { FleetService } from './fleet.service.js';

/** For `npm start -- --stay`: break Redis yourself. */
@Controller('redis')
export class RedisController {
  constructor(private readonly fleet: FleetService) {}

  @Post('kill')
  @HttpCode(204)
  kill(): Promise<void> {
    return this.fleet.redis.kill();
  }

  @Post('start')
  @HttpCode(204)
  start(): Promise<void> {
    return this.fleet.redis.start();
  }
}
