import type { Known, Moved } from './mapping.js';
import type { Ids, Kind, SourceObject } from './model.js';
import type { Spool } from './spool.js';

/** A row that is not itself an object of the source, such as a VLAN of a port. */
export interface Link {
  object: SourceObject;
  /** The field of the source that it comes from. */
  field: string;
  /** Path of the resource below `/api`. */
  path: string;
  row: Record<string, unknown>;
}

/** An asset and its holder at the source. */
export interface Holding {
  object: SourceObject;
  assetId: string;
  /** Null if nobody has it. */
  personId: string | null;
  /** Its status at the source. */
  status: string;
}

/** A stock item and its number of units at the source. */
export interface Counted {
  object: SourceObject;
  itemId: string;
  quantity: number;
  /** `siteId` and `locationId`. */
  place: Record<string, unknown>;
}

/** The parts of a record of which the source lists all, such as the seats of a licence. */
export interface Parts {
  /** Path of them below `/api`. */
  path: string;
  ids: ReadonlySet<string>;
}

/** Another system, whose objects are in a spool. */
export interface Source {
  /** Kinds that become records here, in the order in which records refer to each other. */
  kinds: readonly Kind[];
  /** Kinds whose objects only become values of others. */
  values: ReadonlySet<string>;
  /** Why a kind has no counterpart here. */
  reasonOf(model: string): string;
  /** The name of an object that has no record; undefined if there is no such object. */
  nameOf(model: string, pk: string): string | undefined;
  /** @throws LeftOut */
  map(kind: Kind, object: SourceObject, known: Known): Moved;
  /** Rows to write when all objects are records. */
  links(spool: Spool, known: Known): AsyncGenerator<Link>;
  /** Parts of which the source lists all. Surplus parts are deleted before the records are written, because they may prevent a change. */
  whole?(spool: Spool, ids: Ids): AsyncGenerator<Parts>;
  /** The holders of assets, if the source has them. */
  holdings?(spool: Spool, known: Known): AsyncGenerator<Holding>;
  /** Quantities, if the source has them. */
  counted?(spool: Spool, known: Known): AsyncGenerator<Counted>;
}
