import { camelCase, type CustomType, type CustomValue, type Mapping } from '../mapping.js';
import type { NetboxIndex } from './netbox-index.js';

/** Types of NetBox's custom fields, as those here. */
const TYPES: Readonly<Record<string, CustomType>> = {
  text: 'text',
  longtext: 'text',
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  datetime: 'dateTime',
  url: 'url',
  select: 'choice',
  multiselect: 'tags',
};

type Own = Pick<CustomValue, 'key' | 'definition' | 'uses'>;

/** Adds the values of the custom fields that are defined in NetBox. */
export function addDefined(mapping: Mapping, index: NetboxIndex): void {
  for (const [name, value] of Object.entries(mapping.values('custom_field_data'))) {
    const found = index.definitions.get(name);
    const uses = found && [
      `extras.customfield:${found.key}`,
      ...(found.choiceSet === undefined ? [] : [`extras.customfieldchoiceset:${found.choiceSet}`]),
    ];
    const definition = found && { label: found.label, description: found.description };
    const own = { key: camelCase(name), definition, uses };
    // An empty list is JSON like any other.
    const isNone =
      value === null || value === '' || (Array.isArray(value) && value.length === 0 && found?.type !== 'json');
    if (found?.target !== undefined) {
      addObjects(mapping, name, index.typeOf(found.target), isNone ? null : value, found.type, own);
      continue;
    }
    const type = TYPES[found?.type ?? ''] ?? 'text';
    if (isNone) mapping.custom.push({ ...own, type, value: null });
    else {
      const choices = type === 'choice' || type === 'tags' ? index.choicesOf(found!) : undefined;
      mapping.custom.push({ ...own, type, value: asType(mapping, name, type, value), ...(choices && { choices }) });
    }
  }
}

/** The objects that a custom field refers to: a reference to a single object that is a record here, otherwise the names. */
function addObjects(mapping: Mapping, field: string, model: string, value: unknown, type: string, own: Own): void {
  const target = type === 'multiobject' ? undefined : mapping.known.resourceOf(model);
  if (target === undefined) mapping.addNames(field, model, value, own);
  else if (value === null) mapping.custom.push({ ...own, type: 'reference', target, value });
  else {
    const pk = String(value);
    // The target can be of the same kind, or of a kind that is written later.
    const awaits = mapping.known.has(model, pk) ? {} : { awaits: { model, pk } };
    mapping.custom.push({ ...own, type: 'reference', target, value: mapping.known.ids.of(model, pk), ...awaits });
  }
}

/** A value of the source as one of a custom field of a type. */
function asType(mapping: Mapping, field: string, type: CustomType, value: unknown): unknown {
  if (type === 'decimal') return decimalOf(mapping, field, value);
  // In Python booleans are numbers too.
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  // As Python reads them.
  if (type === 'dateTime' && typeof value === 'string') return value.replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  return type === 'text' && typeof value !== 'string' ? JSON.stringify(value) : value;
}

/** Most digits of a decimal after its point. */
const FRACTION = 10;
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d{1,10})?$/;

/** A number as a decimal text, without an exponent. */
function decimalOf(mapping: Mapping, field: string, value: unknown): unknown {
  if (typeof value === 'string' && PLAIN.test(value)) return value;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return value;
  const [whole, rounded] = [20, FRACTION].map((maximumFractionDigits) =>
    number.toLocaleString('en', { useGrouping: false, signDisplay: 'negative', maximumFractionDigits }),
  );
  if (whole !== rounded) mapping.changed(field, `${whole} was rounded to ${rounded}`);
  return rounded;
}
