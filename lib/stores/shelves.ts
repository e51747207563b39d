import type { Engine } from '../core/engine.js';
import type { CacheLike, ValueStore } from '../core/value-store.js';
import { GuardedStore } from './guarded-store.js';
import { MemoryShelf } from './memory-shelf.js';
import { Places } from './places.js';
import { SharedShelf } from './shared-shelf.js';
import type { Shelf } from './shelf.js';

/** What stands for a store that is not there: every operation on it fails, and says so. */
const NOWHERE = {} as ValueStore;

/** Where one application keeps last known good values: one shelf for each store, whichever chains use it. @internal */
export class Shelves {
  /** of chains that name no store */
  readonly standard: Shelf;
  private readonly shelves = new WeakMap<object, Shelf>();
  private readonly places = new WeakMap<object, Places>();

  constructor(
    private readonly engine: Engine,
    private readonly timeout: number,
    store: ValueStore | CacheLike | undefined,
  ) {
    this.standard = store === undefined ? new MemoryShelf() : this.of(store);
  }

  of(store: ValueStore | CacheLike = NOWHERE): Shelf {
    let shelf = this.shelves.get(store);
    if (shelf === undefined) {
      shelf = new SharedShelf(new GuardedStore(store, this.engine, this.timeout));
      this.shelves.set(store, shelf);
    }
    return shelf;
  }

  /** The places of one chain, made when first asked for. */
  placesOf(origin: object, make: () => Places): Places {
    let places = this.places.get(origin);
    if (places === undefined) this.places.set(origin, (places = make()));
    return places;
  }
}
