import { Args, Field, Mutation, ObjectType, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Degraded, FallbackChain, FallbackService } from '../../../../lib/index.js';
import type { Receipt } from '../../../../lib/index.js';
import { INNER, Quotes, answer } from './quotes.js';
import type { Quote } from './quotes.js';

@ObjectType()
export class QuoteType implements Quote {
  @Field(() => Number) price!: number;
  @Field(() => Boolean, { nullable: true }) degraded?: boolean;
}

@Resolver(() => QuoteType)
export class QuotesResolver {
  seen: readonly Receipt[] = [];

  constructor(
    private readonly quotes: Quotes,
    private readonly fallback: FallbackService,
  ) {}

  @Query(() => QuoteType)
  async service(@Args('symbol') symbol: string): Promise<QuoteType> {
    const quote = await this.quotes.live(symbol);
    this.seen = this.fallback.currentReceipts();
    return quote;
  }

  @Query(() => QuoteType)
  @FallbackChain([{ method: 'delayed', name: INNER }], { name: 'resolver', breaker: { threshold: Infinity } })
  @Degraded({ substitute: { price: 0 } })
  async resolver(@Args('symbol') symbol: string): Promise<QuoteType> {
    return answer(0, symbol.length);
  }

  async delayed(symbol: string): Promise<QuoteType> {
    return answer(1, symbol.length * 10);
  }

  /** Its own body fails because of what it calls, and the last candidate answers in full. */
  @Query(() => QuoteType)
  @FallbackChain([() => ({ price: 1 })], { name: 'covering', accept: ({ degraded }: Quote) => degraded !== true })
  covering(@Args('symbol') symbol: string): Promise<QuoteType> {
    return this.quotes.live(symbol);
  }

  @Query(() => QuoteType, { nullable: true })
  strict(@Args('symbol') symbol: string): Promise<QuoteType> {
    return this.quotes.strict(symbol);
  }

  @Mutation(() => QuoteType)
  refresh(@Args('symbol') symbol: string): Promise<QuoteType> {
    return this.quotes.live(symbol);
  }

  @ResolveField(() => QuoteType, { nullable: true })
  other(@Parent() _quote: QuoteType): Promise<QuoteType> {
    return this.quotes.strict('BEST');
  }
}
