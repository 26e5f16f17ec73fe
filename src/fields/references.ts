import { reading, type Area } from '../access/access.js';
import { fieldsOf, isShown, isStored, type Class, type ComputedField, type StoredField } from './field.js';
import { detailsOf, namingOf, relationOf } from './naming.js';
import { areaOf } from './record-entity.js';

/** A reference of a record to another that has a name. */
export interface NamedReference<F extends Referring = Referring> {
  /** The reference without `Id`: `site` for `siteId`. */
  name: string;
  field: F;
  target: Class;
  /** The field of the target that names it. */
  naming: StoredField;
  /** Further fields of the target that are shown with its name. */
  details: readonly StoredField[];
  /** Whether the caller may not read the target. Its name and further fields are then null. */
  isHidden?: boolean;
}

type Referring = StoredField | ComputedField;

/** A reference with a column, which lists are filtered and sorted by. */
export type StoredReference = NamedReference<StoredField>;

export const isStoredReference = (reference: NamedReference): reference is StoredReference => isStored(reference.field);

/** Area that a caller needs to read records of this kind; undefined if none is needed. */
function areaToRead(record: Class): Area | undefined {
  const area = areaOf(record);
  return area === null ? undefined : reading(area).area;
}

/** The references of a record whose targets every reader of the record may read too. */
export function namedReferences(record: Class): NamedReference[] {
  return fieldsOf(record)
    .filter((field) => isStored(field) || field.kind === 'computed')
    .filter(isShown)
    .flatMap((field) => {
      const target = field.references?.();
      const naming = target && namingOf(target);
      if (!target || !naming) return [];
      const needed = areaToRead(target);
      if (needed !== undefined && needed !== areaToRead(record)) return [];
      return [{ name: relationOf(field.property), field, target, naming, details: detailsOf(target) }];
    });
}

/** The custom fields that refer to other records, each named like the field. */
export const customReferences = (fields: readonly StoredField[]): StoredReference[] =>
  fields.flatMap((field) => {
    const target = field.references?.();
    const naming = target && namingOf(target);
    if (!target || !naming) return [];
    const isHidden = field.custom!.isTargetHidden;
    return [{ name: field.property, field, target, naming, details: detailsOf(target), isHidden }];
  });

/** The references that `expand` can add to a record. A name that is already a property of the record cannot be added. */
export function expandableOf(record: Class): NamedReference[] {
  const own = new Set(fieldsOf(record).map(({ property }) => property));
  return namedReferences(record).filter(({ name }) => !own.has(name));
}
