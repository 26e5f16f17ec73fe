import { v5 } from 'uuid';

/** The namespace of names of sources: RFC 9562's for fully qualified names. */
const NAMES = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** An object of a source, in the shape in which NetBox dumps one. */
export interface SourceObject {
  /** Kind of the object, such as `dcim.device`. */
  model: string;
  /** Key within its kind. */
  pk: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a source says is not known before it is read
  fields: Record<string, any>;
  /** Why it cannot be read. */
  fault?: string;
  /** Keys of objects of its kind that it refers to, and that lead back to it. */
  circular?: readonly string[];
}

/** A row for the import of a resource. */
export type Row = Record<string, unknown>;

/** How the objects of one kind become records. */
export interface Kind {
  model: string;
  /** Path of the resource below `/api`. That of parts may be another one for each object. */
  resource: string;
  /** Which of the objects, where kinds share a model; all of them without it. */
  takes?: (object: SourceObject) => boolean;
  /** Fields that refer to objects of the same kind, which are written first. */
  after?: readonly string[];
  /** Fields without which the resource refuses a record. */
  required?: readonly string[];
  /** References that may make a required value break a rule. They are left out then, and the value stays. */
  restsOn?: Readonly<Record<string, string>>;
}

/** What became of an object. */
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
