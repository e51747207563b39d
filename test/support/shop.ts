import { Controller, Get, Injectable, Param, Query } from '@nestjs/common';
import { Degraded, FallbackChain } from '../../lib/index.js';
import { down, gate } from './answers.js';

/** What the shop answers. */
export interface Answer {
  text: string;
  degraded?: boolean;
}

const popular = (): Answer => ({ text: 'popular' });

/** Chains that end in every way that a response can show. */
@Injectable()
export class Shop {
  readonly release = gate();

  async backup(): Promise<Answer> {
    return { text: 'backup' };
  }

  @FallbackChain(['backup'], { name: 'healthy' })
  async healthy(): Promise<Answer> {
    return { text: 'primary' };
  }

  @FallbackChain(['backup'], { name: 'failed-over', whenOpen: 'ignore' })
  async failedOver(): Promise<Answer> {
    return down();
  }

  @FallbackChain([], { name: 'recommendations', whenOpen: 'ignore' })
  @Degraded({ substitute: popular })
  async recommendations(): Promise<Answer> {
    return down();
  }

  /** Ends after `release` was opened. */
  @FallbackChain([], { name: 'slow' })
  @Degraded({ substitute: popular })
  async slow(): Promise<Answer> {
    await this.release.opened;
    return down();
  }

  @FallbackChain([{ method: 'backup', degraded: true }], { name: 'second-rate', whenOpen: 'ignore' })
  async secondRate(): Promise<Answer> {
    return down();
  }

  @FallbackChain([], { name: 'thin', assess: () => 'thin' })
  async thin(): Promise<Answer> {
    return { text: 'thin' };
  }

  @FallbackChain([], { name: 'optional' })
  @Degraded({ skip: true })
  async optional(): Promise<void> {
    return down();
  }

  @FallbackChain([], { name: 'flag' })
  @Degraded({ substitute: false, mark: 'receipt' })
  async flag(): Promise<boolean> {
    return down();
  }

  @FallbackChain([], { name: 'exhausted' })
  async exhausted(): Promise<Answer> {
    return down();
  }

  @Degraded({ substitute: popular })
  async unnamed(): Promise<Answer> {
    return down();
  }

  @FallbackChain([], { name: 'preise für Bücher; 100%' })
  @Degraded({ substitute: popular })
  async sentence(): Promise<Answer> {
    return down();
  }

  @FallbackChain([], { name: '2nd' })
  @Degraded({ substitute: popular })
  async digit(): Promise<Answer> {
    return down();
  }

  @FallbackChain([], { name: 'a\r\nX-Evil: 1\ud800' })
  @Degraded({ substitute: popular })
  async evil(): Promise<Answer> {
    return down();
  }

  @FallbackChain([], { name: 'long'.repeat(1_000) })
  @Degraded({ substitute: popular })
  async long(): Promise<Answer> {
    return down();
  }

  @FallbackChain([], { name: 'outer-full' })
  async outerFull(): Promise<Answer> {
    const { text } = await this.recommendations();
    return { text: `from ${text}` };
  }

  @FallbackChain(['backup'], { name: 'outer-recovers' })
  async outerRecovers(): Promise<Answer> {
    await this.recommendations();
    return down();
  }

  @FallbackChain([], { name: 'outer-passes-on' })
  async outerPassesOn(): Promise<Answer> {
    return this.recommendations();
  }

  @FallbackChain([], { name: 'outer-degraded' })
  @Degraded({ substitute: () => ({ text: 'outer' }) })
  async outerDegraded(): Promise<Answer> {
    await this.recommendations();
    return down();
  }
}

/** Names of the shop's chains, as the routes below take them. */
type Call = Exclude<keyof Shop, 'release'>;

@Controller()
export class ShopController {
  constructor(private readonly shop: Shop) {}

  /** `/calls?of=a,b`: one call after the other; the answer is the last one's. */
  @Get('calls')
  async calls(@Query('of') names: string): Promise<unknown> {
    let answer: unknown;
    for (const name of names.split(',')) answer = await this.shop[name as Call]();
    return answer;
  }

  /** `/behind/a`: a call that begins before `a` and ends after it. */
  @Get('behind/:name')
  async behind(@Param('name') name: string): Promise<unknown> {
    const slow = this.shop.slow();
    await this.shop[name as Call]();
    this.shop.release.open();
    return slow;
  }

  @Get('untouched')
  untouched(): Answer {
    return { text: 'no chain' };
  }

  @Get('handler')
  @FallbackChain([], { name: 'handler' })
  @Degraded({ substitute: popular })
  async handler(): Promise<Answer> {
    return down();
  }
}
