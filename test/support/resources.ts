import { fieldsOf, isStored, type Class } from '../../src/fields/field.js';
import { tableOf } from '../../src/lists/record-sql.js';
import { resourcesOf } from '../../src/resource/family.js';
import type { ControlledResource } from '../../src/resource/resource.definition.js';
import { families } from '../../src/schema/families.js';

/** The resources of all families. */
export const resources = families.flatMap(resourcesOf);

/** Path of a resource in tables of tests: the path of a part has its owner's collection in braces. */
export function pathOf({ path, owner }: ControlledResource): string {
  if (!owner) return `/${path}`;
  return `/${path.replace(/:\w+/, `{${collectionOf(owner.record)}}`)}`;
}

/** Path of the collection of a record class. */
export function collectionOf(record: Class): string {
  // Profiles belong to no family. For parts, the collection of all owners is simpler to use.
  const all = resources.filter((candidate) => candidate.record === record);
  const resource = all.find(({ owner }) => !owner) ?? all[0];
  return resource ? pathOf(resource) : `/api/${tableOf(record).replaceAll('_', '-')}`;
}

/** The references of a record: collections by the name of the field that refers to their records. */
export const referencesOf = (record: Class): Record<string, string> =>
  Object.fromEntries(
    fieldsOf(record)
      .filter(isStored)
      .flatMap(({ property, references }) => (references ? [[property, collectionOf(references())] as const] : [])),
  );
