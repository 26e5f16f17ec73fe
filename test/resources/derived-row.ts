import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, isStored, type Class, type Field, type StoredField } from '../../src/fields/field.js';
import { areaOf } from '../../src/fields/record-entity.js';
import { Invalid } from '../../src/fields/types/field-type.js';
import { email } from '../../src/fields/types/text.js';
import { readValue } from '../../src/fields/validation.js';
import { recordSqlOf } from '../../src/lists/record-sql.js';
import type { FamilyResource } from '../../src/resource/family.js';
import { collectionOf, pathOf, resources } from '../support/resources.js';
import type { Row } from './row.js';

/** Properties whose values no two records share, alone or together with others. */
const uniqueOf = (record: Class): Set<string> =>
  new Set(
    getMetadataArgsStorage()
      .indices.filter(({ target, unique }) => target === record && unique)
      .flatMap(({ columns }) => columns as string[]),
  );

/** Whether a unique index keeps the parts of an owner apart by values of closed sets only, so that an owner can have few of them. */
const hasFew = ({ record, owner }: FamilyResource): boolean =>
  getMetadataArgsStorage().indices.some(({ target, unique, columns }) => {
    if (target !== record || !unique || !owner) return false;
    const others = (columns as string[]).filter((property) => property !== owner.field);
    return others.length < (columns as string[]).length && others.every((property) => isClosed(record, property));
  });

const isClosed = (record: Class, property: string): boolean => {
  const field = fieldsOf(record)
    .filter(isStored)
    .find((one) => one.property === property);
  return field !== undefined && (field.values !== undefined || typeof field.default === 'boolean');
};

/** Values of the usual types, for fields without an example or with their default as example. */
const SAMPLES: readonly unknown[] = ['Some text', 'EUR', 7, '7'];

/** A value of a field that differs from its default. @param others values of the fields before it */
function valueOf(field: StoredField, isUnique: boolean, others: Record<string, unknown>): unknown {
  const { references, refersBy, example, type, values, knownValues, default: fallback } = field;
  if (references) return `→${collectionOf(references())}`;
  if (refersBy) return `→${collectionOf(refersBy.records[others[refersBy.property] as string]!())}`;
  if (isUnique && type === email) return '∎@example.com';
  if (isUnique && !values && typeof (example ?? '') === 'string') return '∎';
  if (typeof fallback === 'boolean') return !fallback;
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
export function derivedRow(resource: FamilyResource, bound: readonly string[] = []): Row {
  const { record } = resource;
  const unique = uniqueOf(record);
  const row = { path: pathOf(resource), area: areaOf(record) as Row['area'], few: hasFew(resource) };
  const [required, optional, defaults, shown]: Record<string, unknown>[] = [{}, {}, {}, {}];
  // What a field refers to may depend on the value of another one.
  const depends = (field: Field): number => Number(field.kind === 'stored' && field.refersBy !== undefined);
  for (const field of recordSqlOf(record as never).fields.toSorted((a, b) => depends(a) - depends(b))) {
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
  const unsortable = recordSqlOf(record as never).secrets;
  const others = { defaults, shown, unsortable: [...unsortable], bound };
  return { ...row, required: required!, optional: optional!, ...others };
}

/**
 * The rows of all resources that have none of their own.
 * @param bound fields that a rule keeps from being cleared alone, by the paths of their resources
 */
export const derivedRows = (own: readonly Row[], bound: Readonly<Record<string, readonly string[]>>): Row[] =>
  resources
    .filter((resource) => !own.some(({ path }) => path === pathOf(resource)))
    .map((resource) => derivedRow(resource, bound[pathOf(resource)]));
