import type { CallView, Collector } from '../core/plan.js';
import { snapshot } from './snapshot.js';
import type { Refusal } from './snapshot.js';

/**
 * The elements of one stream, each copied before its consumer can change it. More than fit are not kept, and neither are
 * those of a stream with one that cannot be copied.
 * @internal
 */
export class Collected implements Collector {
  private elements: unknown[] | null = [];
  private refused: Refusal | null = null;

  constructor(
    private readonly call: CallView,
    private readonly limits: { readonly most: number; readonly maxBytes: number },
    private readonly remember: (call: CallView, elements: readonly unknown[]) => void,
  ) {}

  add(element: unknown): void {
    if (this.elements === null) return;
    const taken = snapshot(element, this.limits.maxBytes);
    if (typeof taken === 'string') this.give(taken);
    else if (this.elements.length === this.limits.most) this.give('size');
    else this.elements.push(taken.copy);
  }

  keep(): void {
    if (this.elements !== null) this.remember(this.call, this.elements);
    else if (this.refused !== null) {
      const { engine, name: chain } = this.call.plan;
      engine.report({ name: 'value.not-stored', chain, because: this.refused });
    }
  }

  private give(because: Refusal): void {
    this.elements = null;
    this.refused = because;
  }
}
