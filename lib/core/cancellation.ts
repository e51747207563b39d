/**
 * Groups of calls that end together: those that listen to one caller's signal, those of one HTTP request.
 * A signal has at most one listener of ours, however many calls wait on it, and none when no call does.
 */
import { shared } from './shared.js';

/** What can be told to end. @internal */
export interface Cancellable {
  cancel(reason: unknown): void;
}

/** A call's place in a group. @internal */
export interface Membership {
  readonly group: CancelGroup;
  readonly member: Cancellable;
  previous: Membership | null;
  next: Membership | null;
}

/** @internal */
export class CancelGroup {
  private first: Membership | null = null;

  join(member: Cancellable): Membership {
    const place: Membership = { group: this, member, previous: null, next: this.first };
    if (this.first === null) this.onFilled();
    else this.first.previous = place;
    this.first = place;
    return place;
  }

  leave(place: Membership): void {
    if (place.previous === null) this.first = place.next;
    else place.previous.next = place.next;
    if (place.next !== null) place.next.previous = place.previous;
    if (this.first === null) this.onEmptied();
  }

  /** Members only take note; each leaves by itself when its call has ended. */
  cancel(reason: unknown): void {
    for (let place = this.first; place !== null; place = place.next) place.member.cancel(reason);
  }

  protected onFilled(): void {}

  protected onEmptied(): void {}
}

class SignalGroup extends CancelGroup {
  constructor(private readonly signal: AbortSignal) {
    super();
  }

  protected override onFilled(): void {
    this.signal.addEventListener('abort', this.onAbort);
  }

  protected override onEmptied(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }

  // Returns nothing: EventTarget would subscribe to a thenable.
  private readonly onAbort = (): void => {
    this.cancel(this.signal.reason);
  };
}

const groups = shared('signals', () => new WeakMap<AbortSignal, CancelGroup>());

/** The group of all calls that wait on `signal`. @internal */
export function groupOf(signal: AbortSignal): CancelGroup {
  let group = groups.get(signal);
  if (group === undefined) groups.set(signal, (group = new SignalGroup(signal)));
  return group;
}

/** An AbortSignal by shape: one of another realm or a polyfill is as good. @internal */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as AbortSignal).aborted === 'boolean' &&
    typeof (value as AbortSignal).addEventListener === 'function'
  );
}
