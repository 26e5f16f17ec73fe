import { fieldsOf, type Class, type Field } from './field.js';

/**
 * A body that is accepted as it stands, made of the examples of its fields. References are left out where they may be,
 * as nobody's database has the records of an example; one that is required holds an id to be put in place.
 */
export function createExample(body: Class): Record<string, unknown> {
  const fields = fieldsOf(body).filter((field) => field.required || (!isReference(field) && valueOf(field) != null));
  return Object.fromEntries(fields.map((field) => [field.property, valueOf(field)]));
}

/** A PATCH of one field, the most telling that there is: a word such as a status, or else a text, or else the first. */
export function updateExample(body: Class): Record<string, unknown> {
  const fields = fieldsOf(body).filter((field) => !isReference(field) && !field.parts && !field.writeOnly);
  const other = (field: Field): unknown =>
    (field.values ?? field.knownValues)?.find((value) => value !== field.example);
  const word = fields.find((field) => typeof field.example === 'string' && other(field) !== undefined);
  if (word) return { [word.property]: other(word) };
  const candidates = fields.filter((field) => valueOf(field) != null);
  const first = candidates.find((field) => !field.required && field.type.sqlType === 'text') ?? candidates[0]!;
  return { [first.property]: valueOf(first) };
}

const isReference = (field: Field): boolean => field.references !== undefined || field.type.sqlType === 'uuid';

function valueOf(field: Field): unknown {
  return field.parts ? [createExample(field.parts.body())] : (field.example ?? field.default);
}
