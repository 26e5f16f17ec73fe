/* What the service declares: families, lists, records, fields, operations, and who may use them. */

import { Refused } from './api.js';
import type { Collection, Field, Operation, PageDeclarations, Row } from './types.js';
import type { components } from '../../../sdk/typescript/schema.js';

type Profile = components['schemas']['ProfileResponse']['data'];
type Declared = PageDeclarations & { login: { password: boolean; singleSignOn?: string } };

const ROLES = ['viewer', 'editor', 'manager', 'admin'];

let declared: Declared;
let byPath: Map<string, Collection>;
let byResource: Map<string, Collection>;
/** The profile of the session; undefined without one. */
let profile: Profile | undefined;

export async function loadDeclarations(): Promise<void> {
  const response = await fetch('/page/declarations.json', { credentials: 'same-origin' });
  if (!response.ok) throw new Refused(response.status, { error: 'The page cannot be loaded' });
  declared = (await response.json()) as Declared;
  byPath = new Map(declared.collections.map((one) => [one.path, one]));
  byResource = new Map(declared.collections.flatMap((one) => (one.resource ? [[one.resource, one]] : [])));
}

export const loginWays = (): Declared['login'] => declared.login;
export const setProfile = (one: Profile | undefined): void => {
  profile = one;
};
export const currentProfile = (): Profile | undefined => profile;

/** Whether the session meets the rule of an operation. The service decides; this only hides what it would refuse. */
export const may = ({ role, area }: Pick<Operation, 'role' | 'area'> = {}): boolean =>
  profile !== undefined &&
  ROLES.indexOf(profile.role) >= ROLES.indexOf(role ?? 'viewer') &&
  (area === undefined || profile.areas.includes(area));

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
export const fieldsOf = (type: string | undefined): readonly Field[] => declared.types[type ?? ''] ?? [];
export const operationsOf = (collection: Collection): Operation[] => collection.operations.filter(may);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isId = (segment: string): boolean => segment.startsWith('{');

/** The template of `templates` that a path is of, with its placeholders filled in by the path. */
function matches(template: string, segments: string[]): boolean {
  const parts = template.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, index) => (isId(part) ? UUID.test(segments[index]!) : part === segments[index]))
  );
}

/** What is at a path of the API: a list or a record. A path without placeholders comes before one with. */
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

/** The path of an operation or list, with the ids of the path that it is reached from. */
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

export const nameOf = (collection: Pick<Collection, 'type'>, record: Row): string =>
  String(record[namingOf(collection) ?? 'name'] ?? record.name ?? record[firstTextOf(collection, record) ?? ''] ?? '');

/** A text that tells a record without a name from others: the message of an update. */
const firstTextOf = (collection: Pick<Collection, 'type'>, record: Row): string | undefined =>
  fieldsOf(collection.type).find(
    ({ name, type, format, references }) =>
      type === 'string' && !format && !references && typeof record[name] === 'string',
  )?.name;

/** What a record is called in a heading: its name, or what it is. */
export const titleOf = (collection: Collection, record: Row): string =>
  nameOf(collection, record) || `the ${collection.one ?? 'entry'}`;

/** Name of the record that a reference refers to: `site` for `siteId`. */
export const relationOf = (property: string): string => property.replace(/Id$/, '');

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

/** A property, operation or resource in words: "Site" for `siteId`. */
export function labelOf(name: string): string {
  const words = relationOf(name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase())
    .map((word) => SHORT.get(word) ?? word)
    .map((word) => PLURAL.get(word) ?? word);
  return capital(words.join(' '));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
