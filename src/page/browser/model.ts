/* The declarations of the service: families, lists, records, fields, operations, and their access rules. */

import { get, Refused } from './api.js';
import { labelOfValue } from '../../fields/labels.js';
import { isCustom } from './custom.js';
import type { Collection, Field, Operation, PageDeclarations, Row } from './types.js';
import type { components } from '../../../sdk/typescript/schema.js';

type Schemas = components['schemas'];
type Profile = Schemas['ProfileResponse']['data'];
type Declared = PageDeclarations & { login: { password: boolean; singleSignOn?: string } };

const ROLES = ['viewer', 'editor', 'manager', 'admin'];

let published: Declared;
let declared: Declared;
let byPath: Map<string, Collection>;
let byResource: Map<string, Collection>;
/** The profile of the session; undefined without one. */
let profile: Profile | undefined;

/** A record of the list that a view is made for, as the schema of its resource says it is. */
export const typed = <N extends keyof Schemas>(record: object): Schemas[N] => record as Schemas[N];

/** Records of one schema, for a view that shows records of any. */
export const rowsOf = (records: readonly object[]): Row[] => records as Row[];

export async function loadDeclarations(): Promise<void> {
  const response = await fetch('/page/declarations.json', { credentials: 'same-origin' });
  if (!response.ok) throw new Refused(response.status, { error: 'The page cannot be loaded' });
  published = (await response.json()) as Declared;
  declare(published);
}

/** Reads the changes of the declarations by custom fields. */
export async function loadOwnDeclarations(): Promise<void> {
  const own = (await get('/api/page/declarations.json')) as object as Pick<Declared, 'collections' | 'types'>;
  const changed = new Map(own.collections.map((one) => [one.path, one]));
  declare({
    ...published,
    collections: published.collections.map((one) => changed.get(one.path) ?? one),
    types: { ...published.types, ...own.types },
  });
}

function declare(one: Declared): void {
  declared = one;
  byPath = new Map(declared.collections.map((collection) => [collection.path, collection]));
  byResource = new Map(declared.collections.flatMap((each) => (each.resource ? [[each.resource, each]] : [])));
}

export const loginWays = (): Declared['login'] => declared.login;
export const setProfile = (one: Profile | undefined): void => {
  profile = one;
};
export const currentProfile = (): Profile | undefined => profile;

/** Whether there is an operation that the session may use. The service decides; this only hides operations that it would refuse. */
export const may = (operation: Pick<Operation, 'role' | 'area'> | undefined): boolean =>
  profile !== undefined &&
  operation !== undefined &&
  ROLES.indexOf(profile.role) >= ROLES.indexOf(operation.role ?? 'viewer') &&
  (operation.area === undefined || profile.areas.includes(operation.area));

/** The families, with the lists that the session may read. */
export const families = (): { name: string; collections: Collection[] }[] =>
  declared.families
    .map(({ name, collections }) => ({
      name,
      collections: collections
        .flatMap((path) => collectionAt(path) ?? [])
        .filter((one) => may(one) && !one.filters.some(({ required }) => required)),
    }))
    .filter(({ collections }) => collections.length > 0);

export const familyOf = (path: string): string | undefined =>
  declared.families.find(({ collections }) => collections.includes(path))?.name;
export const collectionAt = (path: string): Collection | undefined => byPath.get(path);
export const collectionOf = (resource: string): Collection | undefined => byResource.get(resource);
/** The resources whose records the installation may define fields of, by their names, in words. */
export const customisable = (): Declared['customisable'] => declared.customisable;
export const fieldsOf = (type: string | undefined): readonly Field[] => declared.types[type ?? ''] ?? [];
export const operationsOf = (collection: Collection): Operation[] => collection.operations.filter(may);

/** The operation that creates a record of a list. */
export const creationOf = (collection: Collection): Operation | undefined =>
  collection.operations.find(({ method, path }) => method === 'post' && path === collection.path);
/** The operation that reads, changes or deletes a record of a list. */
export const operationOn = (collection: Collection, method: 'get' | 'patch' | 'delete'): Operation | undefined =>
  collection.operations.find((one) => one.method === method && one.path === collection.record);
export const restoreOf = (collection: Collection): Operation | undefined =>
  collection.operations.find(({ path }) => path === `${collection.record}/restore`);

/** Whether the session may create a record of a list. */
export const mayCreate = (collection: Collection | undefined): boolean => may(collection && creationOf(collection));

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const isUuid = (value: unknown): boolean => UUID.test(String(value));
const isId = (segment: string): boolean => segment.startsWith('{');

/** The one of `templates` that matches a path, with the placeholders replaced by the parts of the path. */
function matches(template: string, segments: string[]): boolean {
  const parts = template.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, index) => (isId(part) ? UUID.test(segments[index]!) : part === segments[index]))
  );
}

/** The list or record at a path of the API. A path without placeholders comes before one with. */
export function resolve(path: string): { collection: Collection; isRecord?: true } | undefined {
  const list = byPath.get(path);
  if (list) return { collection: list };
  const segments = path.split('/');
  for (const collection of declared.collections) {
    if (matches(collection.path, segments)) return { collection };
    if (collection.record && matches(collection.record, segments)) return { collection, isRecord: true };
  }
  return undefined;
}

/** The path of an operation or list, with the ids of the current path. */
export function fill(template: string, path: string): string {
  const given = path.split('/');
  return template
    .split('/')
    .map((part, index) => (isId(part) ? (given[index] ?? part) : part))
    .join('/');
}

/** The lists below a record, and the record's own history and references apart from them. */
export function below(collection: Collection): { parts: Collection[]; changes: boolean; references: boolean } {
  if (!collection.record) return { parts: [], changes: false, references: false };
  const { record } = collection;
  const depth = record.split('/').length;
  const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
  const lists = declared.collections.filter(
    (one) => shape(one.path).startsWith(`${shape(record)}/`) && one.path.split('/').length === depth + 1,
  );
  const ends = (word: string): Collection | undefined => lists.find((one) => one.path.endsWith(`}/${word}`));
  return {
    parts: lists.filter((one) => may(one) && one !== ends('changes') && one !== ends('references')),
    changes: ends('changes') !== undefined,
    references: ends('references') !== undefined,
  };
}

/** Names of lists of a record, if the last part of their path is not one. */
const PARTS: Readonly<Record<string, string>> = {
  children: 'Prefixes within',
  ips: 'Addresses',
  targets: 'Systems',
  'available-ips': 'Free addresses',
  'available-prefixes': 'Free prefixes',
};
export const partLabel = (name: string): string => PARTS[name] ?? labelOf(name);

/** The name of the records of a list. For a part it lacks the name of its owner: the ports of a device. */
export const manyOf = ({ path, label }: Collection): string =>
  path.includes('{') ? lower(partLabel(path.split('/').at(-1)!)) : label;

/** A record of a resource in words. A record that is read with its owner has no list with a name. */
export const oneOf = (resource: string): string =>
  collectionOf(resource)?.one ?? labelOf(resource).toLowerCase().replace(/s$/, '');

/** A field of the records of a resource. */
export function fieldIn(resource: string, name: string): Field | { name: string } {
  const isIt = (field: Field): boolean => field.name === name;
  return (
    fieldsOf(collectionOf(resource)?.type).find(isIt) ??
    Object.values(declared.types)
      .flat()
      .find((field) => isIt(field) && field.custom === resource) ?? { name }
  );
}

/** Whether a property has no value. */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The address of a record of a resource; undefined for a part, whose owner is not known. */
export function addressOf(resource: string, id: string | null | undefined): string | undefined {
  const collection = collectionOf(resource);
  return collection && !collection.path.includes('{') && id ? `#${collection.path.slice(4)}/${id}` : undefined;
}

/** The field that names the records of a list. */
export function namingOf(collection: Pick<Collection, 'type'>): string | undefined {
  const fields = fieldsOf(collection.type);
  const named = fields.find(({ naming }) => naming);
  const usual = ['name', 'title', 'recordName'].map((one) => fields.find(({ name }) => name === one)).find(Boolean);
  return (named ?? usual)?.name;
}

/** A record that joins two others is named after both, if it has no name: a cable without a label. */
const endsIn = ({ aName, bName }: Row): string | undefined => (aName && bName ? `${aName} – ${bName}` : undefined);

export const nameOf = (collection: Pick<Collection, 'type'>, record: Row): string =>
  // A transition is named by the value that it leads to.
  (collection.type === 'Transition' ? labelOfValue : String)(
    record[namingOf(collection) ?? 'name'] ??
      record.name ??
      endsIn(record) ??
      record[firstTextOf(collection, record) ?? ''] ??
      '',
  );

/** The property with the name of the record that another property refers to: `aName` for `aId`. */
export const calledBy = ({ name, referencesBy }: Field): string | undefined =>
  referencesBy && name.endsWith('Id') ? name.replace(/Id$/, 'Name') : undefined;

/** The relations to expand in a list for the distinguishing texts of its records. */
export const apartIn = ({ apart = [], expand = [] }: Collection): string =>
  apart
    .map(relationOf)
    .filter((relation) => expand.includes(relation))
    .join(',');

/** Texts that distinguish a record from others of its name, with the names of their properties. */
export const tellingOf = ({ apart = [] }: Collection, record: Row): [property: string, text: unknown][] =>
  apart
    .map(relationOf)
    .map((property): [string, unknown] => [property, record[property]?.name ?? record[property]])
    .filter(([, text]) => text !== undefined && text !== null && text !== '');

/** The distinguishing text of a record: `Hall 2 · Amsterdam`. */
export const besideOf = (collection: Collection, record: Row): string =>
  tellingOf(collection, record)
    .map(([, text]) => text)
    .join(' · ');

/** A text that distinguishes a record without a name: the message of an update. */
const firstTextOf = (collection: Pick<Collection, 'type'>, record: Row): string | undefined =>
  fieldsOf(collection.type).find(
    ({ name, type, format, references }) =>
      type === 'string' && !format && !references && typeof record[name] === 'string',
  )?.name;

/** The heading of a record: its name, or its kind. */
export const titleOf = (collection: Collection, record: Row): string =>
  nameOf(collection, record) || `the ${collection.one ?? 'entry'}`;

/** Name of the record that a reference refers to, as `expand` has it: `site` for `siteId`. */
export const relationOf = (property: string): string => (isCustom(property) ? property : property.replace(/Id$/, ''));

const SHORT = new Map(
  [
    'id',
    'ip',
    'ips',
    'vrf',
    'vrfs',
    'vlan',
    'vlans',
    'sla',
    'slas',
    'sku',
    'url',
    'mac',
    'cpu',
    'dns',
    'po',
    'vid',
    'os',
    'mtu',
    'gb',
    'mb',
    'vcpus',
  ].map((word) => [word, word.toUpperCase()]),
);
const PLURAL = new Map([
  ['IPS', 'IPs'],
  ['VRFS', 'VRFs'],
  ['VLANS', 'VLANs'],
  ['SLAS', 'SLAs'],
  ['VCPUS', 'vCPUs'],
]);

/** Units at the end of a name. */
const UNITS: Readonly<Record<string, string>> = {
  mbps: '(Mbit/s)',
  kbps: '(kbit/s)',
  mb: '(MB)',
  gb: '(GB)',
  w: '(W)',
  v: '(V)',
  a: '(A)',
  m: '(m)',
};

/** What people call the property that names a resource. */
const RESOURCE: Readonly<Record<string, string>> = { resource: 'Type of record', resources: 'Types of records' };

/** A property, operation or resource in words: "Site" for `siteId`. */
export function labelOf(of: string | Pick<Field, 'name' | 'label'>): string {
  if (typeof of !== 'string') return of.label ?? RESOURCE[of.name] ?? labelOf(of.name);
  const name = of.replace(/^customFields\./, '');
  const words = (name === of ? relationOf(name) : name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase());
  const unit = words.length > 1 ? UNITS[words.at(-1)!] : undefined;
  const said = (unit ? words.slice(0, -1) : words)
    .map((word) => SHORT.get(word) ?? word)
    .map((word) => PLURAL.get(word) ?? word);
  return capital([...said, ...(unit ? [unit] : [])].join(' '));
}

/** A label within a sentence. */
export const lower = (label: string): string => label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
