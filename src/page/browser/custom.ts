/*
 * Values of custom fields. Responses and bodies have them in a separate object. In the page they are among the other values of a
 * record, under the names of filters, files and faults: `customFields.tier`.
 */

const OWN = 'customFields';

export const isCustom = (name: string): boolean => name.startsWith(`${OWN}.`);

/** Name of the record that a custom field refers to. The response has it under the name of the field. */
export const expandedName = (name: string): string => `${name} expanded`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reviver of JSON. */
export function spread(_name: string, value: unknown): unknown {
  if (!isObject(value) || !isObject(value[OWN])) return value;
  const { [OWN]: own, ...others } = value;
  return Object.fromEntries([
    ...Object.entries(others).map(([name, one]) => [isCustom(name) ? expandedName(name) : name, one]),
    ...Object.entries(own as object).map(([key, one]) => [`${OWN}.${key}`, one]),
  ]);
}

/** A body in the form of the service. */
export function gathered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(gathered);
  if (!isObject(value)) return value;
  const body: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    if (isCustom(name)) own[name.slice(OWN.length + 1)] = one;
    // The conditions of a webhook are objects by name.
    else body[name] = name === 'where' ? one : gathered(one);
  }
  return Object.keys(own).length > 0 ? { ...body, [OWN]: own } : body;
}
