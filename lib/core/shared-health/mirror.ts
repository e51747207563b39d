/**
 * One circuit that several processes have together, as this process sees it. The circuit itself is what it always is: it
 * counts and decides at once, and goes on doing so when the store is away. The mirror tells the store what it does not
 * know, and changes the circuit where the store knows better.
 *
 * - What is told: every failure, and the success that ends trouble; of other successes one in half a minute.
 * - A probe is the fleet's: the store is asked for it beside the call, and the call that comes next has it.
 */
import { REFUSED, isIsolated, mayProbe, permit } from '../circuit.js';
import type { Breaker, Circuit } from '../circuit.js';
import type { CircuitOutcome, CircuitPermit, CircuitReading } from '../health-store.js';
import type { Clock } from '../types.js';
import { RULINGS } from '../verdict.js';
import type { Ruling } from '../verdict.js';
import type { Adopted } from './adoption.js';
import { FleetProbe, SHORTLY } from './fleet-probe.js';
import type { Ask, Correspondent, HealthLink } from './link.js';
import { Outbox } from './outbox.js';
import { UNKNOWN, View } from './view.js';
import type { How } from './view.js';
import { admission, isReading, optionsOf, untoldOf } from './words.js';
import type { Action, Untold } from './words.js';

/** How often a success is told of a circuit without trouble, ms, for those who ask when it last served. */
const SERVED = 30_000;

/** Who uses the circuit. @internal */
export interface Member {
  readonly chain: string;
  /** Others have changed the circuit. @param isFirst it is told once, however many use it */
  onAdopted(what: NonNullable<Adopted>, kind: CircuitReading['kind'], isFirst: boolean): void;
}

/** @internal */
export class Mirror implements Correspondent {
  /** wall clock; as the store knew it when it was last asked */
  lastServedAt: number | undefined = undefined;
  private readonly members: Member[] = [];
  private readonly outbox: Outbox;
  private readonly probe = new FleetProbe();
  private readonly view: View;
  private servedAt = -Infinity;
  private breaker: CircuitOutcome['breaker'] | null = null;

  constructor(
    readonly key: string,
    private readonly circuit: Circuit,
    private readonly link: HealthLink,
    private readonly clock: Pick<Clock, 'now' | 'wall'>,
  ) {
    this.view = new View(circuit);
    this.outbox = new Outbox(key, (reading, how) => this.adopt(reading, how));
  }

  get chain(): string {
    return this.members[0]!.chain;
  }

  get isUsed(): boolean {
    return this.members.length > 0;
  }

  get isBehind(): boolean {
    return !this.outbox.isEmpty;
  }

  /** The word on a probe, while it is being asked for: for calls that have nobody else left. */
  get asking(): Promise<void> | null {
    return this.probe.asking;
  }

  /** How long that may take, ms. */
  get patience(): number {
    return this.link.timeout;
  }

  join(member: Member): void {
    this.members.push(member);
    if (this.members.length === 1) this.link.add(this);
  }

  /** The epoch in which an attempt may begin now, or REFUSED: if a probe is due, the fleet's, once we hold it. */
  permit(now: number, lease: number): number {
    const { circuit, probe } = this;
    if (circuit.openUntil === 0 || !mayProbe(circuit, now)) return permit(circuit, now, lease);
    const period = probe.periodAt(now);
    if (period === null && !this.link.isAway) {
      if (probe.mayAsk(now)) probe.ask(now, (grace) => this.inquire(lease, grace));
      return REFUSED;
    }
    const epoch = permit(circuit, now, lease);
    this.view.settle(period ?? this.view.period);
    probe.drop();
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
      if (isQuiet && !this.view.isTroubled && now - this.servedAt < SERVED) return null;
      this.servedAt = now;
      this.view.isTroubled = false;
    } else if (!isProbe && (ruling.health === 'ignore' || isNoNews(circuit, ruling))) return null;
    this.breaker ??= optionsOf(breaker);
    return untoldOf(ruling, this.view.nameOf(epoch), this.breaker, now);
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
    if (isReading(change)) this.adopt(change, 'change');
  }

  async catchUp(ask: Ask): Promise<boolean> {
    const { chain, key, circuit } = this;
    if (!(await this.outbox.empty(ask, chain, () => this.clock.now()))) return false;
    const answer = await ask(admission(key, SHORTLY), chain);
    if (answer === null) return false;
    const { epoch } = answer.said;
    // A store that has begun anew may count from the beginning.
    if (epoch < this.view.period) this.view.period = UNKNOWN;
    this.take(answer.said, SHORTLY);
    const isForgotten = epoch === UNKNOWN && isIsolated(circuit);
    if (isForgotten) await this.outbox.order(ask, chain, 'isolate');
    return true;
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
    const state = said.state ?? (granted ? (probe ? 'half-open' : 'closed') : stateOfRefusal(retryIn, circuit, now));
    this.adopt({ state, epoch, openUntil: 0, retryIn, insists }, 'status');
    if (granted && mayProbe(circuit, now)) this.probe.grant(epoch, now + grace);
    if (!granted) this.probe.refuse(now, retryIn);
  }

  private adopt(reading: CircuitReading, how: How): void {
    const { view, probe } = this;
    const isNews = view.isNews(reading);
    const isVague = isNews && reading.state === 'open' && reading.retryIn === undefined;
    // For how long exactly it is open, some stores say only to those who ask.
    if (isVague) void this.inquire(0, SHORTLY);
    const retryIn = reading.retryIn ?? Math.max(0, reading.openUntil - this.clock.wall());
    if (isVague && retryIn === 0) return;
    const adopted = view.adopt({ ...reading, retryIn }, how, this.clock.now());
    if (isNews) {
      probe.drop();
      if (reading.state !== 'half-open') probe.rest();
      // A new period may know of no success: the next one is told.
      this.servedAt = -Infinity;
    }
    if (adopted === null) return;
    for (const [place, member] of this.members.entries()) member.onAdopted(adopted, reading.kind, place === 0);
  }
}

/** A failure of a circuit that is open already: only advice changes anything. */
function isNoNews({ openUntil }: Circuit, { retryAfter = 0 }: Ruling): boolean {
  return openUntil !== 0 && retryAfter <= 0;
}

/** Of a store that does not say it. What we know to be due was refused because somebody else has the probe. */
function stateOfRefusal(retryIn: number, { openUntil }: Circuit, now: number): CircuitReading['state'] {
  if (retryIn === Infinity) return 'isolated';
  return openUntil !== 0 && openUntil <= now ? 'half-open' : 'open';
}
