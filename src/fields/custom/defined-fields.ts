import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, type Class, type CustomFields, type StoredField } from '../field.js';
import { areaOf, CUSTOM_COLUMN, hasCustomFields, resourceOf } from '../record-entity.js';
import { meets, reading, type Caller } from '../../access/access.js';
import { once, onceFor } from '../../http/once.js';
import { ValidationFailed } from '../../http/errors.js';
import { CUSTOM, customFieldOf } from './custom-field.js';
import type { CustomDefinition } from './definition.js';

/** For a class without custom fields, whose parts have none either. */
export const NO_CUSTOM_FIELDS: CustomFields = { fields: [], parts: new Map(), digest: '', json: () => `'{}'` };

/** `jsonb` sorts keys by length, then by bytes. */
const byStoredName = (a: CustomDefinition, b: CustomDefinition): number =>
  Buffer.byteLength(a.storedAs) - Buffer.byteLength(b.storedAs) || (a.storedAs < b.storedAs ? -1 : 1);

const inOrder = (a: CustomDefinition, b: CustomDefinition): number => a.position - b.position || byStoredName(a, b);

/**
 * SQL of the values by key. The stored object is used unchanged if it equals the shown one, which takes a quarter of the time.
 * @param definitions in their order
 * @param hasDropped whether records may have values of deleted fields
 */
function jsonOf(definitions: readonly CustomDefinition[], hasDropped: boolean): CustomFields['json'] {
  const stored = definitions.toSorted(byStoredName);
  const isShownAsStored =
    !hasDropped && definitions.every((one, place) => one === stored[place] && one.storedAs === one.key);
  if (isShownAsStored) return (t) => `coalesce(${t}.${CUSTOM_COLUMN}, '{}')`;
  const names = definitions.map(({ storedAs, key }, place) => `('${storedAs}', '${key}', ${place})`).join(', ');
  return (t) => `(SELECT coalesce(json_object_agg(f.key, v.value ORDER BY f.place), '{}')
    FROM jsonb_each(${t}.${CUSTOM_COLUMN}) v JOIN (VALUES ${names}) f (stored_as, key, place) ON f.stored_as = v.key)`;
}

/** The custom fields of all records at one moment, for one kind of caller. */
export class DefinedFields {
  /** The custom fields of the records of a class. */
  readonly of = onceFor((record: Class) => this.make(record));

  /** @param seesOperations whether the names of records of operations may be shown */
  constructor(
    readonly definitions: Definitions,
    readonly seesOperations: boolean,
  ) {}

  /** The fields that refer to records of a class, each with the class that has the field. */
  referrersOf(target: Class): { record: Class; field: StoredField }[] {
    const resource = resourceOf(target);
    return this.definitions.all
      .filter((definition) => definition.type === 'reference' && definition.target === resource)
      .flatMap(({ id, resources }) =>
        resources.flatMap((name) => {
          const record = recordOf(name);
          const field = record && this.of(record).fields.find(({ custom }) => custom!.definition.id === id);
          return field ? [{ record, field }] : [];
        }),
      );
  }

  private make(record: Class): CustomFields {
    const resource = resourceOf(record);
    if (resource === undefined || !hasCustomFields(record)) return NO_CUSTOM_FIELDS;
    const { all, dropped } = this.definitions;
    const definitions = all.filter(({ resources }) => resources.includes(resource)).toSorted(inOrder);
    const parts = new Map(
      fieldsOf(record)
        .flatMap((field) => (field.kind === 'parts' ? [field.response()] : []))
        .map((part) => [part, this.of(part)] as const)
        .filter(([, { fields }]) => fields.length > 0),
    );
    if (definitions.length === 0 && parts.size === 0) return NO_CUSTOM_FIELDS;
    const fields = definitions.map((definition) => {
      const target = definition.target === null ? undefined : recordOf(definition.target);
      const isHidden = !this.seesOperations && target !== undefined && reading(areaOf(target)!).area !== undefined;
      return fieldOf(definition, target, isHidden);
    });
    return {
      fields,
      parts,
      digest: [...definitions.map(({ id }) => id), ...[...parts.values()].map(({ digest }) => digest)].join(),
      json: jsonOf(definitions, dropped.has(resource)),
    };
  }
}

/** All definitions of an installation at one moment. */
export class Definitions {
  /** The fields that they define, with the names of records of operations. */
  readonly open = new DefinedFields(this, true);
  /** The same without those names. */
  readonly closed = new DefinedFields(this, false);

  /** @param dropped resources whose records may have values of deleted fields */
  constructor(
    readonly all: readonly CustomDefinition[],
    readonly dropped: ReadonlySet<string> = new Set(),
  ) {}

  /** Whether the definitions are equal, whenever they were read. */
  isSameAs(other: Definitions): boolean {
    return this === other || this.text() === other.text();
  }

  private readonly text = once(() => JSON.stringify([this.all, [...this.dropped]]));

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** The fields as a caller sees them. */
  seenBy(caller: Caller | undefined): DefinedFields {
    return caller && meets(caller, OPERATIONS) ? this.open : this.closed;
  }
}

const OPERATIONS = { role: 'viewer', area: 'operations' } as const;

/** The fields of an installation without definitions. SQL that is cached for all requests uses them. */
export const NO_FIELDS = new Definitions([]).open;

/** Something that has read the custom fields, and can read them again before it begins to work. */
interface WithFields {
  readonly fields: DefinedFields;
  /** Reads the definitions again. @returns whether they have changed */
  refresh(): Promise<boolean>;
}

/**
 * Reads the input of a client. If it is refused because of a custom field, the definitions are read again and the input is read once
 * more. The client may know a change of which this replica was not notified yet.
 */
export async function readFresh<T>(ctx: WithFields, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isAboutCustomFields(error) || !(await ctx.refresh())) throw error;
    return read();
  }
}

/** Whether other definitions could have changed the result. */
export const isAboutCustomFields = (error: unknown): boolean =>
  error instanceof ValidationFailed && error.extra.details!.some((fault) => String(fault).includes(CUSTOM));

declare module 'fastify' {
  interface FastifyRequest {
    /** The custom fields of the request. `lists/request-context.ts` completes the type. */
    ctx?: WithFields;
  }
}

declare module '../../openapi/body.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- a declaration of the floor below, completed here
  interface Installation extends Pick<DefinedFields, 'of'> {}
}

const fieldsMade = new Map<string, StoredField>();
const MOST_FIELDS_MADE = 10_000;

/** The field of a definition, cached because its validator exists as long as the process. */
function fieldOf(definition: CustomDefinition, target: Class | undefined, isHidden: boolean): StoredField {
  const key = JSON.stringify([definition, isHidden]);
  let field = fieldsMade.get(key);
  if (!field) {
    if (fieldsMade.size >= MOST_FIELDS_MADE) fieldsMade.clear();
    fieldsMade.set(key, (field = customFieldOf(definition, target && (() => target), isHidden)));
  }
  return field;
}

/** The resources whose records can have custom fields: the resources of the families, including parts. */
export const customisableResources = once(
  (): ReadonlyMap<string, Class> =>
    new Map(
      getMetadataArgsStorage().tables.flatMap(({ target }) => {
        const resource = resourceOf(target as Class);
        return resource !== undefined && hasCustomFields(target as Class) ? [[resource, target as Class]] : [];
      }),
    ),
);

/** The class of the records of a resource; undefined for an unknown name. */
export const recordOf = (resource: string): Class | undefined =>
  getMetadataArgsStorage()
    .tables.map(({ target }) => target as Class)
    .find((target) => resourceOf(target) === resource);
