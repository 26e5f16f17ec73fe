import { v5 } from 'uuid';

/** The namespace of names of sources: RFC 9562's for fully qualified names. */
const NAMES = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** An object of a source, in the shape in which NetBox dumps one. */
export interface SourceObject {
  /** Kind of the object, such as `dcim.device`. */
  model: string;
  /** Key within its kind. */
  pk: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the type of a source value is known only when it is read
  fields: Record<string, any>;
  /** The reason why it cannot be read. */
  fault?: string;
  /** Keys of objects of the same kind that it refers to in a circle. */
  circular?: readonly string[];
}

/** A row for the import of a resource. */
export type Row = Record<string, unknown>;

/** How the objects of one kind become records. */
export interface Kind {
  model: string;
  /** Path of the resource below `/api`. The path of a part can depend on the object. */
  resource: string;
  /** Selects the objects if several kinds share a model. All objects if absent. */
  takes?: (object: SourceObject) => boolean;
  /** Fields that refer to objects of the same kind, which are written first. */
  after?: readonly string[];
  /** Fields without which the resource refuses a record. */
  required?: readonly string[];
  /** References that can cause a fault of a required value. If there is one, the reference is left out and the value stays. */
  restsOn?: Readonly<Record<string, string>>;
}

/** The outcome of an object. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'leftOut';

/** An object cannot be moved. */
export class LeftOut extends Error {}

/** The ids of a source: the same in every run. */
export class Ids {
  private readonly namespace: string;

  /** @param source name of the source, which keeps two of a kind apart */
  constructor(source: string) {
    this.namespace = v5(source, NAMES);
  }

  /** @param key of the object within its kind, or the path of a link within it */
  of(model: string, key: string | number): string {
    return v5(`${model}:${key}`, this.namespace);
  }
}
