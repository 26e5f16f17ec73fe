import { getMetadataArgsStorage } from 'typeorm';
import { once, onceFor } from '../http/once.js';
import { fieldsOf, isStored, type Class, type StoredField } from './field.js';
import { hasCustomFields, resourceOf } from './record-entity.js';
import { isLine } from './types/text.js';

/** Fields whose changes an installation can restrict by transitions. */
const FIELDS = ['status', 'severity', 'risk', 'condition'];

const isMovable = (field: StoredField): boolean =>
  FIELDS.includes(field.property) && !field.readOnly && (field.moves === true || (!field.values && isLine(field)));

/** The fields that can have transitions: open words of the families, and fields declared with `moves`. */
export const movableFieldsOf = onceFor((record: Class): readonly string[] => {
  if (!hasCustomFields(record)) return [];
  const movable = fieldsOf(record).filter(isStored).filter(isMovable);
  return FIELDS.filter((name) => movable.some(({ property }) => property === name));
});

/** Whether a record has built-in rules for changes of a field, which transitions can only narrow. */
export const hasOwnMoves = (record: Class): boolean =>
  fieldsOf(record).some((field) => isStored(field) && field.moves === true);

/** The records that can have transitions, by the names of their resources. */
export const movableResources = once(
  (): ReadonlyMap<string, Class> =>
    new Map(
      getMetadataArgsStorage().tables.flatMap(({ target }) => {
        const resource = resourceOf(target as Class);
        return resource !== undefined && movableFieldsOf(target as Class).length > 0
          ? [[resource, target as Class]]
          : [];
      }),
    ),
);
