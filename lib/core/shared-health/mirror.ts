/**
 * One circuit that several processes have together, as this process sees it. The circuit itself is what it always is: it
 * counts and decides at once, and goes on doing so when the store is away. The mirror tells the store what it does not
 * know, and changes the circuit where the store knows better.
 *
 * - What is told: every failure, and the success that ends trouble; of other successes one in half a minute.
 * - A probe is the fleet's: the store is asked for it beside the call, and the call that comes next has it.
 * - The store numbers its periods and we number ours: `period` is the store's name for our period `at`.
 */
import { REFUSED, isIsolated, mayProbe, permit } from '../circuit.js';
import type { Breaker, Circuit } from '../circuit.js';
import type { CircuitOutcome, CircuitPermit, CircuitReading } from '../health-store.js';
import { RULINGS } from '../verdict.js';
import type { Ruling } from '../verdict.js';
import { adoptClosed, adoptDue, adoptIsolated, adoptOpen } from './adoption.js';
import type { Adopted } from './adoption.js';
import type { Ask, Correspondent, HealthLink } from './link.js';
import { Outbox } from './outbox.js';
import { admission, isReading, optionsOf, untoldOf } from './words.js';
import type { Action, Untold } from './words.js';

/** How often a success is told of a circuit without trouble, ms, for those who ask when it last served. */
const SERVED = 30_000;
/** Whom a probe was refused asks again after so many ms: the one that runs may have ended. */
const AGAIN = 1_000;
/** How long a permit waits for the call that uses it, ms: twice the time between two calls, within these bounds. */
const GRACE = { least: 1_000, most: 600_000 };

/** The store's period is not known. */
const UNKNOWN = 0;
/** A period that is over. */
const LATE = -1;

/** Who uses the circuit. @internal */
export interface Member {
  readonly chain: string;
  /** Others have changed the circuit. @param isFirst it is told once, however many use it */
  onAdopted(what: NonNullable<Adopted>, kind: CircuitReading['kind'], isFirst: boolean): void;
}

/** @internal */
export class Mirror implements Correspondent {
  /** a probe is being asked for: for calls that have nobody else left */
  asking: Promise<void> | null = null;
  /** wall clock; as the store knew it when it was last asked */
  lastServedAt: number | undefined = undefined;
  private readonly members: Member[] = [];
  private readonly outbox: Outbox;
  private at = 0;
  private period = UNKNOWN;
  /** the fleet has counted failures, so the next success is told */
  private isTroubled = false;
  private servedAt = -Infinity;
  private held: { readonly period: number; readonly until: number } | null = null;
  private askedAt = NaN;
  private refusedUntil = -Infinity;
  private breaker: CircuitOutcome['breaker'] | null = null;

  constructor(
    readonly key: string,
    private readonly circuit: Circuit,
    private readonly link: HealthLink,
    private readonly clock: { now(): number },
  ) {
    this.outbox = new Outbox(key, (reading) => this.adopt(reading, false));
  }

  get chain(): string {
    return this.members[0]!.chain;
  }

  get isBehind(): boolean {
    return !this.outbox.isEmpty;
  }

  /** How long `asking` may take, ms. */
  get patience(): number {
    return this.link.timeout;
  }

  join(member: Member): void {
    this.members.push(member);
    if (this.members.length === 1) this.link.add(this);
  }

  /** The epoch in which an attempt may begin now, or REFUSED: if a probe is due, the fleet's, once we hold it. */
  permit(now: number, lease: number): number {
    const { circuit, held } = this;
    if (circuit.openUntil === 0 || !mayProbe(circuit, now)) return permit(circuit, now, lease);
    const isHeld = held !== null && now < held.until;
    if (!isHeld && !this.link.isAway) {
      if (this.asking === null && now >= this.refusedUntil) this.ask(now, lease);
      return REFUSED;
    }
    const epoch = permit(circuit, now, lease);
    this.settle(isHeld ? held.period : this.period);
    return epoch;
  }

  /**
   * What the store should be told of an attempt that began in `epoch`; null for nothing. Asked before the circuit itself
   * takes note of it, and told afterwards: what the store answers counts it already.
   */
  newsOf(epoch: number, ruling: Ruling, breaker: Breaker, now: number): Untold | null {
    const { circuit } = this;
    const isProbe = circuit.probeUntil !== 0 && epoch === circuit.epoch;
    if (ruling.health === 'success') {
      const isQuiet = circuit.openUntil === 0 && circuit.failures === 0 && breaker.rate === null;
      if (isQuiet && !this.isTroubled && now - this.servedAt < SERVED) return null;
      this.servedAt = now;
      this.isTroubled = false;
    } else if (!isProbe && (ruling.health === 'ignore' || isNoNews(circuit, ruling))) return null;
    const period = epoch === this.at ? this.period : epoch === circuit.epoch ? UNKNOWN : LATE;
    this.breaker ??= optionsOf(breaker);
    return untoldOf(ruling, period, this.breaker, now);
  }

  tell(news: Untold, now: number): void {
    void this.outbox.tell(this.link.ask, this.chain, news, now);
  }

  /** The probe that was let in does not run after all. */
  giveUp(epoch: number, breaker: Breaker, now: number): void {
    const news = this.newsOf(epoch, RULINGS.cancelled, breaker, now);
    if (news !== null) this.tell(news, now);
  }

  /** Passes on what a person wants; when the store is away, once it is back. */
  order(action: Action): void {
    void this.outbox.order(this.link.ask, this.chain, action);
  }

  hear(change: CircuitReading): void {
    if (isReading(change)) this.adopt(change, true);
  }

  async catchUp(ask: Ask): Promise<boolean> {
    const { chain, key, circuit } = this;
    if (!(await this.outbox.empty(ask, chain, () => this.clock.now()))) return false;
    const answer = await ask(admission(key, GRACE.least), chain);
    if (answer === null) return false;
    const { epoch } = answer.said;
    // A store that has begun anew may count from the beginning.
    if (epoch < this.period) this.period = UNKNOWN;
    this.take(answer.said, GRACE.least);
    const isForgotten = epoch === UNKNOWN && isIsolated(circuit);
    if (isForgotten) await this.outbox.order(ask, chain, 'isolate');
    return true;
  }

  private ask(now: number, lease: number): void {
    const gap = Number.isNaN(this.askedAt) ? 0 : 2 * (now - this.askedAt);
    const grace = Math.min(Math.max(gap, GRACE.least), GRACE.most);
    this.askedAt = now;
    this.asking = this.inquire(lease, grace).finally(() => {
      this.asking = null;
    });
  }

  private async inquire(lease: number, grace: number): Promise<void> {
    const answer = await this.link.ask(admission(this.key, lease + grace), this.chain);
    if (answer !== null) this.take(answer.said, grace);
  }

  /** Takes a permit, or what a refusal says. */
  private take({ granted, probe, epoch, retryIn, insists = false, ...said }: CircuitPermit, grace: number): void {
    const { circuit } = this;
    const now = this.clock.now();
    if (said.lastServedAt !== undefined) this.lastServedAt = said.lastServedAt;
    const state = said.state ?? (granted ? (probe ? 'half-open' : 'closed') : stateOfRefusal(retryIn, circuit));
    this.adopt({ state, epoch, openUntil: 0, retryIn, insists }, false);
    if (granted && mayProbe(circuit, now)) this.held = { period: epoch, until: now + grace };
    if (!granted) this.refusedUntil = now + Math.min(retryIn, AGAIN);
  }

  /** @param isChange it has just happened: news also to those who knew nothing */
  private adopt(
    { state, epoch, retryIn, insists = false, failures = 0, kind }: CircuitReading,
    isChange: boolean,
  ): void {
    if (epoch === UNKNOWN || epoch < this.period) return;
    const { circuit } = this;
    const now = this.clock.now();
    const isNews = epoch > this.period;
    // Of a period that we have left by ourselves.
    if (!isNews && circuit.epoch !== this.at) return;
    let adopted: Adopted = null;
    if (state === 'isolated') adopted = adoptIsolated(circuit, now);
    else if (state === 'half-open') adopted = adoptDue(circuit);
    else if (state === 'open') {
      // For how long, some stores say only to those who ask.
      if (retryIn === undefined) return void this.inquire(0, GRACE.least);
      adopted = adoptOpen(circuit, now + retryIn, insists, now);
    } else {
      this.isTroubled = failures > 0;
      // Failures are no recovery; and what we have closed ourselves is only named now.
      const isClosing = isNews && failures === 0 && (isChange || this.period !== UNKNOWN);
      const isOurs = circuit.openUntil === 0 && circuit.epoch !== this.at;
      if (isClosing && !isOurs) adopted = adoptClosed(circuit, now);
      if (circuit.openUntil === 0) circuit.failures = Math.max(circuit.failures, failures);
    }
    if (isNews && state !== 'half-open') this.askedAt = NaN;
    this.settle(epoch);
    if (adopted === null) return;
    for (const [place, member] of this.members.entries()) member.onAdopted(adopted, kind, place === 0);
  }

  private settle(period: number): void {
    this.period = period;
    this.at = this.circuit.epoch;
    this.held = null;
  }
}

/** A failure of a circuit that is open already: only advice changes anything. */
function isNoNews({ openUntil }: Circuit, { retryAfter = 0 }: Ruling): boolean {
  return openUntil !== 0 && retryAfter <= 0;
}

/** Of a store that does not say it. What we know to be due was refused because somebody else has the probe. */
function stateOfRefusal(retryIn: number, { openUntil }: Circuit): CircuitReading['state'] {
  return retryIn === Infinity ? 'isolated' : openUntil === 0 ? 'open' : 'half-open';
}
