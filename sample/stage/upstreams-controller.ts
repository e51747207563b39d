import { Controller, HttpCode, Inject, Param, ParseEnumPipe, Post } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import type { Upstreams } from './upstreams.js';

/** A controller for `npm start -- --stay`: break the upstreams yourself. */
export function controllerOf<Name extends string, Mood extends string>(
  service: Type<Upstreams<Name, Mood>>,
  { names, moods }: { names: readonly Name[]; moods: readonly Mood[] },
): Type {
  const name = oneOf(names);
  const mood = oneOf(moods);

  @Controller('upstreams/:name')
  class UpstreamsController {
    constructor(@Inject(service) private readonly upstreams: Upstreams<Name, Mood>) {}

    @Post('kill')
    @HttpCode(204)
    kill(@Param('name', name) which: Name): Promise<void> {
      return this.upstreams.kill(which);
    }

    @Post('start')
    @HttpCode(204)
    start(@Param('name', name) which: Name): Promise<void> {
      return this.upstreams.start(which);
    }

    @Post('mood/:mood')
    @HttpCode(204)
    tell(@Param('name', name) which: Name, @Param('mood', mood) how: Mood): Promise<void> {
      return this.upstreams.tell(which, how);
    }
  }
  return UpstreamsController;
}

function oneOf(words: readonly string[]): ParseEnumPipe {
  return new ParseEnumPipe(Object.fromEntries(words.map((each) => [each, each])));
}
