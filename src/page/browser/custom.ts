/*
 * Values of the fields that the installation has defined. In answers and bodies they are in an object of their own. In the page they stand
 * among the other values of a record, by the names that filters, files and faults give them: `customFields.tier`.
 */

const OWN = 'customFields';

export const isCustom = (name: string): boolean => name.startsWith(`${OWN}.`);

/** Name of a record that a custom field refers to. The answer has it by the name of the field itself. */
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

/** A body as the service takes it. */
export function gathered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(gathered);
  if (!isObject(value)) return value;
  const body: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    if (isCustom(name)) own[name.slice(OWN.length + 1)] = one;
    // The conditions of a webhook are by names.
    else body[name] = name === 'where' ? one : gathered(one);
  }
  return Object.keys(own).length > 0 ? { ...body, [OWN]: own } : body;
}
