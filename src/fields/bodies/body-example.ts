import 'reflect-metadata';
import { bodyFieldsOf, type BodyField, type Class, type StoredField } from '../field.js';

type Further = (body: Class) => Record<string, unknown>;

const OWN = Symbol('example of a body');

/** Sets the example of a body for which the examples of its fields would break a rule. */
export const ExampleBody =
  (example: object): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(OWN, example, target);

const ownExampleOf = (body: Class): Record<string, unknown> | undefined =>
  Reflect.getMetadata(OWN, body) as Record<string, unknown> | undefined;

/**
 * An example of a valid body, made of the examples of its fields. Optional references are left out, because no database has the records
 * of an example. A required reference has an id to replace.
 * @param further further properties of the body, or of an object in it
 */
export function createExample(body: Class, further: Further = () => ({})): Record<string, unknown> {
  const own = ownExampleOf(body);
  if (own) return { ...own, ...further(body) };
  const fields = bodyFieldsOf(body).filter(
    (field) => field.required || (!isReference(field) && !isInstead(field) && exampleOf(field) != null),
  );
  return {
    ...Object.fromEntries(fields.map((field) => [field.property, exampleOf(field, further)])),
    ...further(body),
  };
}

/** A PATCH of one field: preferably a word such as a status, otherwise a text, otherwise the first field. */
export function updateExample(body: Class): Record<string, unknown> {
  const own = ownExampleOf(body);
  if (own) return own;
  const changeable = bodyFieldsOf(body).filter((field) => field.kind === 'parts' || !field.fixed);
  const fields = changeable.flatMap((field) =>
    field.kind === 'stored' && !isReference(field) && !field.writeOnly ? [field] : [],
  );
  const other = (field: StoredField): unknown =>
    (field.values ?? field.knownValues)?.find((value) => value !== field.example);
  // This value alone would contradict the reference that it belongs to.
  const bound = new Set(bodyFieldsOf(body).map((field) => field.kind === 'stored' && field.refersBy?.property));
  const word = fields.find(
    (field) => typeof field.example === 'string' && !bound.has(field.property) && other(field) !== undefined,
  );
  if (word) return { [word.property]: other(word) };
  const candidates = fields.filter((field) => exampleOf(field) != null);
  const first = candidates.find((field) => !field.required && field.type.sqlType === 'text') ?? candidates[0];
  // If all fields are references, one is cleared, unless it is required.
  const shown = first ?? changeable[0]!;
  return { [shown.property]: !first && shown.kind === 'stored' && shown.nullable ? null : exampleOf(shown) };
}

const isReference = (field: BodyField): boolean =>
  field.kind === 'stored' && (field.references !== undefined || field.type.sqlType === 'uuid');

const isInstead = (field: BodyField): boolean => field.kind === 'parts' && field.instead === true;

function exampleOf(field: BodyField, further?: Further): unknown {
  return field.kind === 'parts' ? [createExample(field.body(), further)] : (field.example ?? field.default);
}
