import { Controller, HttpCode, Param, ParseEnumPipe, Post } from '@nestjs/common';
import { UPSTREAMS, UpstreamsService } from './upstreams.service.js';
import type { Mood, UpstreamName } from './upstreams.service.js';

const names = new ParseEnumPipe(Object.fromEntries(UPSTREAMS.map((name) => [name, name])));
const moods = new ParseEnumPipe({ well: 'well', limited: 'limited', hanging: 'hanging' });

/** For `npm start -- --stay`: break the upstreams yourself. */
@Controller('upstreams/:name')
export class UpstreamsController {
  constructor(private readonly upstreams: UpstreamsService) {}

  @Post('kill')
  @HttpCode(204)
  kill(@Param('name', names) name: UpstreamName): Promise<void> {
    return this.upstreams.kill(name);
  }

  @Post('start')
  @HttpCode(204)
  start(@Param('name', names) name: UpstreamName): Promise<void> {
    return this.upstreams.start(name);
  }

  @Post('mood/:mood')
  @HttpCode(204)
  tell(@Param('name', names) name: UpstreamName, @Param('mood', moods) mood: Mood): Promise<void> {
    return this.upstreams.tell(name, mood);
  }
}
