import { getMetadataArgsStorage } from 'typeorm';
import { bodyFieldsOf, fieldsOf, isStored, type Class, type Field, type StoredField } from '../../src/fields/field.js';
import { areaOf } from '../../src/fields/record-entity.js';
import { Invalid } from '../../src/fields/types/field-type.js';
import { email } from '../../src/fields/types/text.js';
import { readValue } from '../../src/fields/validation.js';
import { declaredSqlOf } from '../../src/lists/record-sql.js';
import type { ControlledResource } from '../../src/resource/resource.definition.js';
import { collectionOf, pathOf, resources } from '../support/resources.js';
import type { Row } from './row.js';

/** Properties whose values no two records share, alone or together with others. */
const uniqueOf = (record: Class): Set<string> =>
  new Set(
    getMetadataArgsStorage()
      .indices.filter(({ target, unique }) => target === record && unique)
      .flatMap(({ columns }) => columns as string[]),
  );

/** The fields of closed sets by which alone a unique index keeps the parts of an owner apart, so that an owner can have few of them. */
function fewBy({ record, owner }: ControlledResource): StoredField[] | undefined {
  const stored = fieldsOf(record).filter(isStored);
  return getMetadataArgsStorage()
    .indices.filter(
      ({ target, unique, columns }) => target === record && unique && owner && holds(columns, owner.field),
    )
    .map(({ columns }) => stored.filter(({ property }) => property !== owner!.field && holds(columns, property)))
    .find((fields) => fields.every(isClosed));
}

const holds = (columns: unknown, property: string): boolean => (columns as string[]).includes(property);

const isClosed = (field: StoredField): boolean => field.values !== undefined || typeof field.default === 'boolean';

/** Values of the usual types, for fields without an example or with their default as example. */
const SAMPLES: readonly unknown[] = ['Some text', 'EUR', 7, '7'];

/** A value of a field that differs from its default. @param others values of the fields before it */
function valueOf(field: StoredField, isUnique: boolean, others: Record<string, unknown>): unknown {
  const { references, refersBy, example, type, values, knownValues, default: fallback } = field;
  if (references) return `→${collectionOf(references())}`;
  if (refersBy) return `→${collectionOf(refersBy.records[others[refersBy.property] as string]!())}`;
  if (typeof fallback === 'boolean') return !fallback;
  if (isUnique && type === email) return '∎@example.com';
  if (isUnique && !values && typeof (example ?? '') === 'string') return '∎';
  if (Array.isArray(fallback)) return example ?? values?.slice(0, 1) ?? ['Some text'];
  const value = [example, ...(values ?? knownValues ?? []), ...SAMPLES].find(
    (candidate) =>
      candidate !== undefined && candidate !== fallback && !(readValue(candidate, field) instanceof Invalid),
  );
  if (value !== undefined) return value;
  throw new Error(
    `${field.property} needs an example other than its default, or its resource a row in contract-rows.ts`,
  );
}

/**
 * The row of a resource whose entity declares all of its rules.
 * @param bound fields that a rule keeps from being cleared alone
 * @throws Error if it has a field whose value cannot be derived
 */
export function derivedRow(resource: ControlledResource, bound: readonly string[] = []): Row {
  const { record } = resource;
  const unique = uniqueOf(record);
  const few = fewBy(resource);
  const row = { path: pathOf(resource), area: areaOf(record) as Row['area'], few: few !== undefined };
  const [required, optional, defaults, shown]: Record<string, unknown>[] = [{}, {}, {}, {}];
  // What a field refers to may depend on the value of another one.
  const depends = (field: Field): number => Number(field.kind === 'stored' && field.refersBy !== undefined);
  const given = new Map(
    bodyFieldsOf(resource.create)
      .filter(isStored)
      .map((field) => [field.property, field]),
  );
  for (const declared of declaredSqlOf(record as never).fields.toSorted((a, b) => depends(a) - depends(b))) {
    // A body may have what the record only shows.
    const field = (declared.kind === 'stored' && declared.readOnly && given.get(declared.property)) || declared;
    const { property } = field;
    if (['id', 'createdAt', 'updatedAt'].includes(property)) continue;
    if (field.kind === 'parts') throw new Error(`${record.name}.${property} needs a row in contract-rows.ts`);
    if (field.kind !== 'stored') {
      shown![property] = field.nullable ? null : expect.anything();
    } else if (field.readOnly) {
      shown![property] = field.default ?? (field.nullable ? null : expect.anything());
    } else {
      if (field.default !== undefined) defaults![property] = field.default;
      const isUnique = unique.has(property) || !!field.unique;
      (field.required ? required! : optional!)[property] = valueOf(field, isUnique, { ...required, ...optional });
    }
  }
  const unsortable = declaredSqlOf(record as never).secrets;
  const written: Record<string, unknown> = { ...required, ...optional };
  const another = few?.map(({ property, values }) => [
    property,
    values ? values.find((value) => value !== written[property]) : !written[property],
  ]);
  const others = { defaults, shown, unsortable: [...unsortable], bound, another: Object.fromEntries(another ?? []) };
  return { ...row, required: required!, optional: optional!, ...others };
}

/**
 * The rows of all resources that have none of their own.
 * @param bound fields that a rule keeps from being cleared alone, by the paths of their resources
 */
export const derivedRows = (own: readonly Row[], bound: Readonly<Record<string, readonly string[]>>): Row[] =>
  resources
    .filter((resource) => !resource.flat && !own.some(({ path }) => path === pathOf(resource)))
    .map((resource) => derivedRow(resource, bound[pathOf(resource)]));
