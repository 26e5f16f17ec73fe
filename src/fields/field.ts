import 'reflect-metadata';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { CustomOptions } from './custom/definition.js';
import type { Deprecation } from '../http/deprecation.js';
import type { FieldOptions, FieldType } from './types/field-type.js';

export type Class<T = object> = abstract new (...args: never[]) => T;
export type Concrete<T = object> = new () => T;

/** SQL of a computed value; `t` is the alias of the record's table. */
export type SqlExpression = (t: string) => string;

interface Declared {
  property: string;
  /** Shown in Swagger UI and in generated clients. */
  description: string;
  /** Set if the field is deprecated. Bodies and filters accept it until it is removed. */
  deprecated?: Deprecation;
}

/** @param isNeeded whether a new record with that value must have this one */
export interface OnlyWith {
  property: string;
  value: string;
  isNeeded?: true;
}

/** A value of a type: a column of a record, or a property of a request body. */
export interface StoredField extends Declared, FieldOptions {
  kind: 'stored';
  type: FieldType;
  columnName: string;
  /** SQL of its value, if the column contains more than that. */
  sql?: SqlExpression;
  example?: unknown;
  /** Whether a create body must have it. */
  required: boolean;
  /** Whether it may be null, in bodies and in responses. */
  nullable: boolean;
  /** Value for a create body without the property. The database sets it, so a PATCH never resets a field to it. */
  default?: unknown;
  /** Default as an SQL expression. */
  databaseDefault?: string;
  /** In responses only. Ignored in bodies, so that clients can send back what they read. */
  readOnly: boolean;
  /** In request bodies only, such as a password. */
  writeOnly?: boolean;
  /** Set when the record is created, and never changed. A trigger enforces this (`src/schema/functions/keep_fixed.sql`). */
  fixed?: true;
  /** The record's name in the change log. */
  naming?: boolean;
  /** Shown beside the name where a reference to the record is expanded. */
  shownWithName?: boolean;
  /** A closed set whose changes follow built-in rules. Transitions can only narrow these. */
  moves?: true;
  /** Part of `search`. */
  searchable?: boolean;
  /** A count of the records with each value is maintained, and an index finds them in the order of creation. */
  counted?: boolean;
  /** Encrypted at rest and readable by managers. Cannot be searched, sorted or filtered by. */
  secret?: boolean;
  /** Label for people, if the words of its name do not suit. */
  label?: string;
  /** An instant that stands for a day: its date in UTC. */
  day?: true;
  /** A number that is an identifier, such as a VLAN id. It is written without separators. */
  nominal?: true;
  /** A text that is usually the name of a time zone. The page offers the names and accepts other texts. */
  zone?: true;
  /** Usual values of an open field. They are documented, not enforced. */
  knownValues?: readonly string[];
  /** The record that an `…Id` field refers to. */
  references?: () => Class;
  onDelete?: 'SET NULL' | 'CASCADE';
  /** SQL of whether this reference prevents the deletion of its target. */
  keeps?: SqlExpression;
  unique?: boolean;
  /**
   * For a reference to a record of the same owner: the field of both that refers to the owner, and an SQL condition on the target.
   * Imports look up texts among these records.
   */
  siblings?: { owner: string; condition: string };
  /** False for a reference that another index starts with. */
  indexed?: false;
  /** False if no constraint holds its closed set of values: of a column that only our triggers write. */
  checked?: false;
  /** False if another decorator declares the column. */
  column?: false;
  /** Used in the database only, or fixed by the path. Responses do not show it, and lists have no filter for it. */
  hidden?: true;
  /** The value of another property that a record must have for this one to have a value. */
  onlyWith?: OnlyWith;
  /** Responses leave it out while it is null. */
  shownIfSet?: true;
  /** The field that shows the value of a hidden one. */
  shownAs?: string;
  /** The target class of an id by the value of another property. A hidden reference to each is the foreign key. */
  refersBy?: {
    property: string;
    records: Readonly<Record<string, () => Class>>;
    /** The value of the other property if a body does not have it. */
    byDefault?: string;
  };
  /** Set if an installation has defined the field. */
  custom?: CustomOptions;
}

/** A stored field of the record that the field `via` refers to. Its JSON type is that of the joined field. */
interface JoinedField extends Declared {
  kind: 'joined';
  via: string;
  joinedProperty: string;
  nullable: boolean;
  readOnly: true;
  example?: unknown;
  /** Name of its schema in the document, if code generators should not choose the name. */
  schemaName?: string;
}

/** One row of a SELECT that several computed fields read. It is evaluated once. */
export interface ComputedSource {
  alias: string;
  sql: SqlExpression;
}

/** The value of an SQL expression. */
export interface ComputedField extends Declared {
  kind: 'computed';
  label?: string;
  /** The record that a computed `…Id` refers to. */
  references?: () => Class;
  /** A decimal number, which is a text. */
  decimal?: true;
  sql: SqlExpression;
  /** A row that the expression reads. */
  source?: ComputedSource;
  /** Its schema in the document, with an example. */
  schema: ApiPropertyOptions;
  nullable: boolean;
  readOnly: true;
}

/** Maximum number of objects in a list of a request body. Validating one takes a tenth of a millisecond. */
const MAX_PARTS = 1000;

export const mostOf = ({ max = MAX_PARTS }: BodyParts): number => max;

/** A list of objects in a request body. */
export interface BodyParts extends Declared {
  kind: 'parts';
  /** Class of the objects in the request body. */
  body: () => Concrete;
  /** Least number of objects. */
  min: number;
  /** Greatest number of objects, if not `MAX_PARTS`. */
  max?: number;
  /** An alternative to other properties of the body, and therefore absent from its example. */
  instead?: boolean;
  required: boolean;
  readOnly: false;
}

/** The custom fields of the records of a class. The object stays the same until a definition changes. */
export interface CustomFields {
  /** In the order in which they are shown. */
  readonly fields: readonly StoredField[];
  /** The custom fields of parts that the record shows in lists. */
  readonly parts: ReadonlyMap<Class, CustomFields>;
  /** Identifies this state of the definitions, including those of the parts. */
  readonly digest: string;
  /** SQL of the values of a row as one JSON object. @param alias of its table */
  json(alias: string): string;
}

/** A list of parts of a record, which is written and read with it. */
export interface PartsField extends BodyParts {
  /** Class of the parts in responses. */
  response: () => Class;
  /** SQL of the parts as a JSON array. @param custom the custom fields of the parts */
  sql: (alias: string, custom: CustomFields) => string;
}

/** A field of a record. Storage, validation, lists and OpenAPI all read this single declaration. */
export type Field = StoredField | JoinedField | ComputedField | PartsField;

export type BodyField = StoredField | BodyParts;

/** Base class of request bodies that are not derived from a record. */
// oxlint-disable-next-line typescript/no-extraneous-class -- only its subclasses have members
export abstract class RequestBody {}

const FIELDS = Symbol('fields');

function ownFields(target: object): readonly unknown[] {
  return (Reflect.getOwnMetadata(FIELDS, target) as unknown[] | undefined) ?? [];
}

/** Adds a field to those of a record or a request body. */
export function addField(target: Class, field: Field | BodyField): void {
  Reflect.defineMetadata(FIELDS, [...ownFields(target), field], target);
}

/** Says of a declared field that only some records have it. A class decorator calls this, before the bodies are derived from the record. */
export function restrictField(target: Class, property: string, onlyWith: OnlyWith): void {
  const found = inherited(target).find((field) => (field as Field).property === property) as StoredField;
  found.onlyWith = onlyWith;
}

function inherited(target: Class): readonly unknown[] {
  const all: unknown[] = [];
  for (let at: unknown = target; typeof at === 'function'; at = Object.getPrototypeOf(at))
    all.unshift(...ownFields(at));
  return all;
}

const isTime = ({ property }: Field): boolean => property === 'createdAt' || property === 'updatedAt';

/** The fields of a record. Those of its base classes come first, `createdAt` and `updatedAt` last. */
export function fieldsOf(record: Class): readonly Field[] {
  const all = inherited(record) as Field[];
  return [...all.filter((field) => !isTime(field)), ...all.filter(isTime)];
}

/** The properties of a request body. Those of its base classes come first. */
export const bodyFieldsOf = (body: Class): readonly BodyField[] => inherited(body) as BodyField[];

/** Whether the field is in responses. */
export const isShown = (field: Field | BodyField): boolean => field.kind !== 'stored' || field.hidden !== true;

export const isStored = (field: Field | BodyField): field is StoredField => field.kind === 'stored';

/** Whether the values of a field are lists. */
export const isList = (field: StoredField): boolean => field.type.column(field).array === true;

/** The stored field that a joined field shows, the record that has it, and the field that refers to that record. */
export function joinedFrom(
  record: Class,
  { via, joinedProperty }: JoinedField,
): { reference: StoredField; target: Class; field: StoredField } {
  const stored = (of: Class, property: string): StoredField => {
    const field = fieldsOf(of).find((candidate) => candidate.property === property);
    if (!field || !isStored(field)) throw new Error(`${of.name} has no stored field ${property}`);
    return field;
  };
  const reference = stored(record, via);
  const target = reference.references?.();
  if (!target) throw new Error(`${record.name}.${via} does not refer to a record`);
  return { reference, target, field: stored(target, joinedProperty) };
}
