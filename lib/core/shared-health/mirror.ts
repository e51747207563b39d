/**
 * One circuit that several processes have together, as this process sees it. The circuit itself is what it always is: it
 * counts and decides at once, and goes on doing so when the store is away. The mirror tells the store what it does not
 * know, and changes the circuit where the store knows better.
 *
 * - What is told: every failure, and the success that ends trouble; of other successes one in half a minute.
 * - A probe is the fleet's: the store is asked for it beside the call, and the call that comes next has it.
 */
import { REFUSED, isIsolated, mayProbe, permit as permitAlone } from '../circuit.js';
import type { Breaker, Circuit } from '../circuit.js';
import type { CircuitOutcome, CircuitPermit, CircuitReading } from '../health-store.js';
import type { Clock } from '../types.js';
import { RULINGS } from '../verdict.js';
import type { Ruling } from '../verdict.js';
import type { Adopted } from './adoption.js';
import type { Ask, Correspondent } from './correspondent.js';
import { FleetProbe } from './fleet-probe.js';
import type { HealthLink } from './link.js';
import { Outbox } from './outbox.js';
import { UNKNOWN, View } from './view.js';
import type { How } from './view.js';
import { ANY, admission, optionsOf, readingFrom, untoldOf } from './words.js';
import type { Action, Question, Untold } from './words.js';

/** How often a success is told of a circuit without trouble, ms, for those who ask when it last served. */
const SERVED = 30_000;
/** How often those who pass an open circuit by ask whether it still is, ms: they may not have heard of a change. */
const LOOK_AGAIN = 30_000;
/** The lease of a probe that nobody wants, ms. */
const LOOK = 1;

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
  private readonly probe: FleetProbe;
  private readonly view: View;
  private servedAt = -Infinity;
  private lookedAt = -Infinity;
  private breaker: CircuitOutcome['breaker'] | null = null;

  constructor(
    readonly key: string,
    private readonly circuit: Circuit,
    private readonly link: HealthLink,
    private readonly clock: Clock,
  ) {
    this.view = new View(circuit);
    this.probe = new FleetProbe(clock);
    this.outbox = new Outbox(this, (reading, how) => this.adopt(reading, how));
  }

  get chain(): string {
    return this.members[0]!.chain;
  }

  get isUsed(): boolean {
    return this.members.length > 0;
  }

  get hasUntold(): boolean {
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

  /** The epoch in which an attempt may begin now, or REFUSED: if a probe is due, the fleet's, once it is ours. */
  permit(now: number, lease: number): number {
    const { circuit, probe } = this;
    if (circuit.openUntil === 0) return permitAlone(circuit, now, lease);
    probe.noteCall(now);
    if (!mayProbe(circuit, now)) {
      if (now - this.lookedAt >= LOOK_AGAIN) void this.look(now);
      return REFUSED;
    }
    const { period } = probe;
    if (period === null && !this.link.isAway) {
      if (probe.mayAsk(now)) probe.ask((grace) => this.inquire(lease, grace));
      return REFUSED;
    }
    const epoch = permitAlone(circuit, now, lease);
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
    // One call may have another than the chain.
    this.breaker = optionsOf(breaker);
    return untoldOf(ruling, this.view.nameOf(epoch), this.breaker, now);
  }

  /** A store that has enough to do is told nothing more: what it would count, it counts by samples. */
  tell(news: Untold, now: number): void {
    if (!this.link.isBusy) void this.outbox.tell(this.link.ask, news, now);
  }

  /** The probe that was let in does not run after all. */
  giveUp(epoch: number, breaker: Breaker, now: number): void {
    const news = this.newsOf(epoch, RULINGS.cancelled, breaker, now);
    if (news !== null) this.tell(news, now);
  }

  /** Passes on what a person wants; when the store is away, once it is back. Then it is asked what it calls that. */
  async order(action: Action): Promise<void> {
    if (await this.outbox.order(this.link.ask, action)) await this.look(this.clock.now());
  }

  hear(change: unknown): void {
    const reading = readingFrom(change);
    if (reading !== null) this.adopt(reading, 'change');
  }

  async catchUp(ask: Ask): Promise<boolean> {
    if (!(await this.outbox.empty(ask, () => this.clock.now()))) return false;
    const { period } = this.view;
    const permit = await ask(this.admission(LOOK), this);
    if (permit === null) return false;
    // A store that has begun anew may count from the beginning. What was heard meanwhile is another matter.
    if (permit.epoch < period) this.view.period = UNKNOWN;
    this.take(permit);
    return true;
  }

  async leave(ask: Ask): Promise<void> {
    await this.probe.asking;
    const { period } = this.probe;
    this.probe.drop();
    if (period !== null) await this.giveBack(period, ask);
  }

  /** Asks for the fleet's probe, and keeps it for a while. */
  private async inquire(lease: number, grace: number): Promise<void> {
    const permit = await this.link.ask(this.admission(lease + grace), this);
    if (permit === null) return;
    this.take(permit);
    const { granted, probe, epoch, retryIn } = permit;
    if (!granted) this.probe.refuse(this.clock.now(), retryIn);
    else if (mayProbe(this.circuit, this.clock.now())) {
      this.probe.grant(epoch, grace, () => void (probe && this.giveBack(epoch, this.link.ask)));
    } else if (probe) await this.giveBack(epoch, this.link.ask);
  }

  /** Asks how things are, and no more: a probe that is granted is over at once. */
  private async look(now: number): Promise<void> {
    this.lookedAt = now;
    const permit = await this.link.ask(this.admission(LOOK), this);
    if (permit !== null) this.take(permit);
  }

  /** @param lease how long a probe may take, ms */
  private admission(lease: number): Question<CircuitPermit> {
    return admission(this.key, lease, ({ granted, probe, epoch }) => {
      if (granted && probe) void this.giveBack(epoch, this.link.ask);
    });
  }

  /** A probe that was granted, and that nobody begins. */
  private giveBack(period: number, ask: Ask): Promise<void> {
    const now = this.clock.now();
    return this.outbox.tell(ask, untoldOf(RULINGS.cancelled, period, this.breaker ?? ANY, now), now);
  }

  /** Believes what a permit or a refusal says of the circuit. */
  private take({ granted, probe, epoch, retryIn, insists, lastServedAt, state }: CircuitPermit): void {
    if (lastServedAt !== undefined) this.lastServedAt = lastServedAt;
    const refused = state ?? stateOfRefusal(retryIn, this.circuit, this.clock.now());
    const told = granted ? (state ?? (probe ? 'half-open' : 'closed')) : refused;
    this.adopt({ state: told, epoch, openUntil: 0, retryIn, insists: insists === true }, 'status');
    // What a person wants does not go with the store's memory.
    const isForgotten = granted && epoch === UNKNOWN && isIsolated(this.circuit);
    if (isForgotten) void this.outbox.order(this.link.ask, 'isolate');
  }

  private adopt(reading: CircuitReading, how: How): void {
    const { view, probe } = this;
    const isNews = view.isNews(reading);
    const now = (this.lookedAt = this.clock.now());
    const isVague = reading.state === 'open' && reading.retryIn === undefined;
    // For how long exactly it is open, some stores say only to those who ask.
    if (isVague && isNews) void this.look(now);
    const retryIn = reading.retryIn ?? Math.max(0, reading.openUntil - this.clock.wall());
    if (isVague && (!isNews || retryIn === 0)) return;
    const adopted = view.adopt({ ...reading, retryIn }, how, now);
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
