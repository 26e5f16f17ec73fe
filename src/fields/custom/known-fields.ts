import { AsyncLocalStorage } from 'node:async_hooks';
import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, type Class, type StoredField } from '../field.js';
import { areaOf, CUSTOM_COLUMN, hasCustomFields, resourceOf } from '../record-entity.js';
import { reading } from '../../access/access.js';
import { once, onceFor } from '../../http/once.js';
import { customFieldOf } from './custom-field.js';
import type { CustomDefinition } from './definition.js';

/** The custom fields of the records of a class. The same object as long as nothing is changed in them. */
export interface CustomFields {
  /** In the order in which they are shown. */
  readonly fields: readonly StoredField[];
  /** Those of the parts that a record shows in a list, where they have any. */
  readonly parts: ReadonlyMap<Class, CustomFields>;
  /** Tells these definitions, and those of the parts, from earlier ones. */
  readonly digest: string;
  /** SQL of the values of a row as one JSON object. @param alias of its table */
  json(alias: string): string;
}

/** Of a class that has none, nor its parts. */
export const NO_CUSTOM_FIELDS: CustomFields = { fields: [], parts: new Map(), digest: '', json: () => `'{}'` };

/** The order of `jsonb` is that of the length of keys, then of their bytes. */
const byStoredName = (a: CustomDefinition, b: CustomDefinition): number =>
  Buffer.byteLength(a.storedAs) - Buffer.byteLength(b.storedAs) || (a.storedAs < b.storedAs ? -1 : 1);

const inOrder = (a: CustomDefinition, b: CustomDefinition): number => a.position - b.position || byStoredName(a, b);

/**
 * SQL of the values by key. As long as the stored object is what is shown, it is shown as it is, which takes a quarter of the time.
 * @param definitions in their order
 * @param hasDropped whether records may have values of fields that are gone
 */
function jsonOf(definitions: readonly CustomDefinition[], hasDropped: boolean): CustomFields['json'] {
  const stored = definitions.toSorted(byStoredName);
  const isPlain = !hasDropped && definitions.every((one, place) => one === stored[place] && one.storedAs === one.key);
  if (isPlain) return (t) => `coalesce(${t}.${CUSTOM_COLUMN}, '{}')`;
  const names = definitions.map(({ storedAs, key }, place) => `('${storedAs}', '${key}', ${place})`).join(', ');
  return (t) => `(SELECT coalesce(json_object_agg(f.key, v.value ORDER BY f.place), '{}')
    FROM jsonb_each(${t}.${CUSTOM_COLUMN}) v JOIN (VALUES ${names}) f (stored_as, key, place) ON f.stored_as = v.key)`;
}

/** All definitions of an installation, as they were at one moment. */
export class Definitions {
  private readonly open = onceFor((record: Class) => this.make(record, true));
  private readonly closed = onceFor((record: Class) => this.make(record, false));

  /** @param dropped resources whose records may have values of fields that are gone */
  constructor(
    readonly all: readonly CustomDefinition[],
    private readonly dropped: ReadonlySet<string>,
  ) {}

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** @param seesOperations whether the names of records of operations may be shown */
  of(record: Class, seesOperations: boolean): CustomFields {
    return (seesOperations ? this.open : this.closed)(record);
  }

  private make(record: Class, seesOperations: boolean): CustomFields {
    const resource = resourceOf(record);
    if (resource === undefined || !hasCustomFields(record)) return NO_CUSTOM_FIELDS;
    const definitions = this.all.filter(({ resources }) => resources.includes(resource)).toSorted(inOrder);
    const parts = new Map(
      fieldsOf(record)
        .flatMap((field) => (field.kind === 'parts' ? [field.response()] : []))
        .map((part) => [part, this.of(part, seesOperations)] as const)
        .filter(([, { fields }]) => fields.length > 0),
    );
    if (definitions.length === 0 && parts.size === 0) return NO_CUSTOM_FIELDS;
    const fields = definitions.map((definition) => {
      const target = definition.target === null ? undefined : recordOf(definition.target);
      const isHidden = !seesOperations && target !== undefined && reading(areaOf(target)!).area !== undefined;
      return fieldOf(definition, target, isHidden);
    });
    return {
      fields,
      parts,
      digest: [...definitions.map(({ id }) => id), ...[...parts.values()].map(({ digest }) => digest)].join(),
      json: jsonOf(definitions, this.dropped.has(resource)),
    };
  }
}

const fieldsMade = new Map<string, StoredField>();
const MOST_FIELDS_MADE = 10_000;

/** The same field for the same definition: what validates its values is kept as long as the process runs. */
function fieldOf(definition: CustomDefinition, target: Class | undefined, isHidden: boolean): StoredField {
  const key = JSON.stringify([definition, isHidden]);
  let field = fieldsMade.get(key);
  if (!field) {
    if (fieldsMade.size >= MOST_FIELDS_MADE) fieldsMade.clear();
    fieldsMade.set(key, (field = customFieldOf(definition, target && (() => target), isHidden)));
  }
  return field;
}

/** The resources whose records can have custom fields: those of the families, parts included. */
export const customisableResources = once(
  (): ReadonlyMap<string, Class> =>
    new Map(
      getMetadataArgsStorage().tables.flatMap(({ target }) => {
        const resource = resourceOf(target as Class);
        return resource !== undefined && hasCustomFields(target as Class) ? [[resource, target as Class]] : [];
      }),
    ),
);

/** The class of the records of a resource; undefined for a name that is none. */
export const recordOf = (resource: string): Class | undefined =>
  getMetadataArgsStorage()
    .tables.map(({ target }) => target as Class)
    .find((target) => resourceOf(target) === resource);

interface Known {
  definitions: Definitions;
  seesOperations: boolean;
}

// A request sees one state of the definitions from its first parameter to its response, wherever it asks for fields.
const known = new AsyncLocalStorage<Known>();

/**
 * Runs a request, or other work, that knows these definitions. Where there are none, it runs as it is: the first store of a process
 * makes every promise of it slower from then on.
 */
export const withDefinitions = <T>(of: Known, run: () => T): T =>
  of.definitions.isEmpty && known.getStore() === undefined ? run() : known.run(of, run);

/** The definitions that the request knows; undefined where there are none. */
export const knownDefinitions = (): Known | undefined => known.getStore();

/** The custom fields that refer to records of a class, as the request knows them, each with the class of the records that have it. */
export function customReferrersOf(target: Class): { record: Class; field: StoredField }[] {
  const found = known.getStore();
  const resource = resourceOf(target);
  if (!found || resource === undefined) return [];
  const { definitions, seesOperations } = found;
  return definitions.all
    .filter((definition) => definition.type === 'reference' && definition.target === resource)
    .flatMap(({ id, resources }) =>
      resources.flatMap((name) => {
        const record = recordOf(name);
        const field =
          record && definitions.of(record, seesOperations).fields.find(({ custom }) => custom!.definition.id === id);
        return field ? [{ record, field }] : [];
      }),
    );
}

/** The custom fields of the records of a class, as the request knows them. */
export function customFieldsOf(record: Class): CustomFields {
  const found = known.getStore();
  return found ? found.definitions.of(record, found.seesOperations) : NO_CUSTOM_FIELDS;
}
