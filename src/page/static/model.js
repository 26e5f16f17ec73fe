/* What the service declares: families, lists, records, fields, operations, and who may use them. */

import { Refused } from './api.js';

const ROLES = ['viewer', 'editor', 'manager', 'admin'];

let declared;
let byPath;
let byResource;
/** The profile of the session; undefined without one. */
let profile;

export async function loadDeclarations() {
  const response = await fetch('/page/declarations.json', { credentials: 'same-origin' });
  if (!response.ok) throw new Refused(response.status, { error: 'The page cannot be loaded' });
  declared = await response.json();
  byPath = new Map(declared.collections.map((one) => [one.path, one]));
  byResource = new Map(declared.collections.filter(({ resource }) => resource).map((one) => [one.resource, one]));
}

export const loginWays = () => declared.login;
export const setProfile = (one) => (profile = one);
export const currentProfile = () => profile;

/** Whether the session meets the rule of an operation. The service decides; this only hides what it would refuse. */
export const may = ({ role, area } = {}) =>
  profile !== undefined &&
  ROLES.indexOf(profile.role) >= ROLES.indexOf(role ?? 'viewer') &&
  (area === undefined || profile.areas.includes(area));

/** The families, with the lists that the session may read. */
export const families = () =>
  declared.families
    .map(({ name, collections }) => ({
      name,
      collections: collections
        .map(collectionAt)
        .filter((one) => may(one) && !one.filters.some(({ required }) => required)),
    }))
    .filter(({ collections }) => collections.length > 0);

export const familyOf = (path) => declared.families.find(({ collections }) => collections.includes(path))?.name;
export const collectionAt = (path) => byPath.get(path);
export const collectionOf = (resource) => byResource.get(resource);
export const allCollections = () => declared.collections;
export const fieldsOf = (type) => declared.types[type] ?? [];
export const operationsOf = (collection) => collection.operations.filter(may);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isId = (segment) => segment.startsWith('{');

/** The template of `templates` that a path is of, with its placeholders filled in by the path. */
function matches(template, segments) {
  const parts = template.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, index) => (isId(part) ? UUID.test(segments[index]) : part === segments[index]))
  );
}

/** What is at a path of the API: a list or a record. A path without placeholders comes before one with. */
export function resolve(path) {
  if (byPath.has(path)) return { collection: byPath.get(path) };
  const segments = path.split('/');
  for (const collection of declared.collections) {
    if (matches(collection.path, segments)) return { collection };
    if (collection.record && matches(collection.record, segments)) return { collection, isRecord: true };
  }
  return undefined;
}

/** The path of an operation or list, with the ids of the path that it is reached from. */
export function fill(template, path) {
  const given = path.split('/');
  return template
    .split('/')
    .map((part, index) => (isId(part) ? (given[index] ?? part) : part))
    .join('/');
}

/** The lists below a record, and the record's own history and references apart from them. */
export function below(collection) {
  if (!collection.record) return { parts: [], changes: false, references: false };
  const depth = collection.record.split('/').length;
  const shape = (path) => path.replaceAll(/\{\w+\}/g, '{}');
  const lists = declared.collections.filter(
    (one) => shape(one.path).startsWith(`${shape(collection.record)}/`) && one.path.split('/').length === depth + 1,
  );
  const ends = (word) => lists.find((one) => one.path.endsWith(`}/${word}`));
  return {
    parts: lists.filter((one) => may(one) && one !== ends('changes') && one !== ends('references')),
    changes: ends('changes') !== undefined,
    references: ends('references') !== undefined,
  };
}

/** The address of a record of a resource; undefined for a part, whose owner is not known. */
export function addressOf(resource, id) {
  const collection = collectionOf(resource);
  return collection && !collection.path.includes('{') && id ? `#${collection.path.slice(4)}/${id}` : undefined;
}

/** The field that names the records of a list. */
export function namingOf(collection) {
  const fields = fieldsOf(collection.type);
  const named = fields.find(({ naming }) => naming);
  const usual = ['name', 'title', 'recordName'].map((one) => fields.find(({ name }) => name === one)).find(Boolean);
  return (named ?? usual)?.name;
}

export const nameOf = (collection, record) =>
  String(record[namingOf(collection) ?? 'name'] ?? record.name ?? record.id ?? '');

/** Name of the record that a reference refers to: `site` for `siteId`. */
export const relationOf = (property) => property.replace(/Id$/, '');

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
export function labelOf(name) {
  const words = relationOf(name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase())
    .map((word) => SHORT.get(word) ?? word)
    .map((word) => PLURAL.get(word) ?? word);
  return capital(words.join(' '));
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
