import { type Caller, reading } from '../access/access.js';
import { onceFor } from '../http/once.js';
import { closest } from '../http/closest.js';
import { DomainError, Fault } from '../http/errors.js';
import type { StoredField } from '../fields/field.js';
import { Invalid } from '../fields/types/field-type.js';
import { readValue } from '../fields/validation.js';
import { urlFault, type AddressPolicy } from './address-rules.js';
import { entryType, type Conditions } from './conditions.js';
import { type Delivered, type DeliveredResource, readableBy } from './delivered-resources.js';

/** The settings of a webhook, current or new. */
export interface WebhookSettings {
  url: string;
  resources: readonly string[];
  fields: readonly string[];
  where: Conditions | null;
}

/** The resources whose entries a webhook gets. */
const told = (resources: readonly string[], all: Delivered): string[] =>
  resources.length === 0 ? [...all.keys()] : resources.filter((name) => all.has(name));

/** Whether a webhook gets entries of operations. Only callers who may read operations can create, change and use such a webhook. */
export const tellsOfOperations = (resources: readonly string[], delivered: Delivered): boolean =>
  told(resources, delivered).some((name) => reading(delivered.get(name)!.area).area !== undefined);

/** @throws DomainError forbidden if the webhook gets entries that the caller may not read */
export function assertReadable(
  caller: Caller,
  { resources }: Pick<WebhookSettings, 'resources'>,
  delivered: Delivered,
): void {
  const readable = new Set(readableBy(caller, delivered));
  if (told(resources, delivered).some((name) => !readable.has(name))) {
    throw new DomainError(
      'forbidden',
      'A webhook for resources of operations needs access to the area operations, which you do not have',
    );
  }
}

/** All faults of a webhook. */
export function webhookFaults(settings: WebhookSettings, delivered: Delivered, policy: AddressPolicy): Fault[] {
  const { url, resources } = settings;
  const refusedUrl = urlFault(url, policy);
  return [
    ...(refusedUrl === undefined ? [] : [new Fault('url', refusedUrl)]),
    ...resourceFaults(resources, delivered),
    ...fieldFaults(settings, delivered),
    ...conditionFaults(settings, delivered),
  ];
}

const suggestion = (name: string, known: Iterable<string>): string => {
  const near = closest(name, known);
  return near === undefined ? '' : `. Did you mean '${near}'?`;
};

function resourceFaults(resources: readonly string[], all: Delivered): Fault[] {
  const unknown = resources.find((name) => !all.has(name));
  return unknown === undefined
    ? []
    : [
        new Fault(
          'resources',
          `contains '${unknown}', which webhooks cannot be sent for${suggestion(unknown, all.keys())}`,
        ),
      ];
}

const chosen = (resources: readonly string[], all: Delivered): DeliveredResource[] =>
  resources.flatMap((name) => all.get(name) ?? []);

function fieldFaults({ fields, resources }: WebhookSettings, delivered: Delivered): Fault[] {
  // Without resources any resource, also a later one, may have the field.
  if (resources.length === 0) return [];
  const known = new Set(chosen(resources, delivered).flatMap((resource) => [...resource.fields.keys()]));
  const unknown = fields.find((name) => !known.has(name));
  return unknown === undefined || known.size === 0
    ? []
    : [
        new Fault(
          'fields',
          `must be fields that these resources store, and '${unknown}' is none${suggestion(unknown, known)}`,
        ),
      ];
}

const SIDES = ['before', 'after'] as const;

function conditionFaults({ where, resources }: WebhookSettings, delivered: Delivered): Fault[] {
  if (where === null) return [];
  const strange = Object.keys(where).find((key) => !(SIDES as readonly string[]).includes(key));
  if (strange !== undefined)
    return [new Fault(`where.${strange}`, 'is not a known property: conditions are before and after')];
  const [resource, ...others] = chosen(resources, delivered);
  if (!resource || others.length > 0) {
    return [new Fault('where', 'needs exactly one resource in resources')];
  }
  return SIDES.flatMap((side) => {
    const values = where[side];
    if (values === undefined || values === null) return [];
    if (typeof values !== 'object' || Array.isArray(values))
      return [new Fault(`where.${side}`, 'must be an object of fields and values')];
    return Object.entries(values).flatMap(([name, value]) => {
      const fault = valueFault(resource.fields, name, value);
      return fault === undefined ? [] : [fault.with({ field: `where.${side}.${fault.field}` })];
    });
  });
}

/** Maximum number of alternative values of a field. */
const MOST_VALUES = 100;

function valueFault(fields: ReadonlyMap<string, StoredField>, name: string, value: unknown): Fault | undefined {
  const field = fields.get(name);
  const refused = (message: string): Fault => new Fault(name, message);
  if (!field) return refused(`is not a stored field of this resource${suggestion(name, fields.keys())}`);
  if (field.secret) return refused('is a secret, whose values cannot be compared');
  const several = Array.isArray(value) ? value : [value];
  if (several.length === 0) return refused('must have at least one value');
  if (several.length > MOST_VALUES) return refused(`must have at most ${MOST_VALUES} values`);
  if (field.type.isJson) return refused('has no fixed type, and cannot be compared');
  for (const [index, one] of several.entries()) {
    const read = one === null ? one : readValue(one, entryOf(field));
    if (read instanceof Invalid)
      return new Fault(Array.isArray(value) ? `${name}[${index}]` : name, read.message, read.code);
  }
  return undefined;
}

const entryOfList = onceFor((field: StoredField): StoredField => ({ ...field, type: entryType(field) }));

/** The field whose values a condition compares: for a list, one of its entries. */
const entryOf = (field: StoredField): StoredField => (field.type.entry ? entryOfList(field) : field);
