import type { Mapping } from '../mapping.js';
import type { Kind, Row } from '../model.js';
import type { NetboxIndex } from './netbox-index.js';

/** A kind of NetBox: the properties of its records, each from a field or by a few lines of code. */
export interface NetboxKind extends Kind {
  /** The properties of the record. @throws LeftOut */
  row: (object: Mapping, index: NetboxIndex) => Row;
  /** Values of the source that say nothing, by field. */
  defaults?: Readonly<Record<string, unknown>>;
}

/** Properties of most kinds. */
export const named = (object: Mapping): Row => ({
  name: object.line('name'),
  slug: object.line('slug'),
  description: object.text('description'),
});

/** A colour as the service writes it; NetBox has no number sign. */
export const color = (object: Mapping): string | null => {
  const value = object.text('color');
  return value === null ? null : `#${value.replace(/^#/, '').toLowerCase()}`;
};

/** The kind and key of a generic reference, such as `scope_type` and `scope_id`. */
export function generic(
  object: Mapping,
  index: NetboxIndex,
  typeField: string,
  keyField: string,
): { model: string; pk: string } | undefined {
  const type: unknown = object.value(typeField);
  const key: unknown = object.value(keyField);
  return type === null || key === null ? undefined : { model: index.typeOf(type), pk: String(key) };
}

/** A place that the service copies from the rack, unless a record in a rack has one of its own. */
export const placeIn = (rackId: string | null, place: string | null): string | null | undefined =>
  place ?? (rackId === null ? null : undefined);
