import { isIP } from 'node:net';
import { formatOf, resolveSchema, type Json } from '../support/document.js';

/**
 * The stored form of an accepted value according to the contract, computed independently of the service's code. The default is the
 * value itself.
 * @param name of the property: areas are stored without duplicates, and other lists with them
 */
export function kept(given: Json, value: unknown, name?: string): unknown {
  const schema = resolveSchema(given);
  if (value === null || value === undefined) return value;
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) {
    const items = resolveSchema(schema.items);
    return items.properties
      ? inOrder(value.map((entry) => keptOf(items, entry as object)))
      : (name === 'areas' ? [...new Set(value)] : value).map((entry) => kept(items, entry));
  }
  if (typeof value !== 'string') return value;
  const format = formatOf(schema);
  if (format === 'uuid') return value.toLowerCase();
  if (format === 'date') return value.slice(0, 10);
  if (format === 'date-time') return instantOf(value);
  if (format === 'cidr' || format === 'inet') return addressOf(value);
  return isPrice(schema) ? withCents(value) : value;
}

/** The stored form of each property of a body. */
const keptOf = (schema: Json, body: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => Object.hasOwn(resolveSchema(schema).properties, name))
      .map(([name, value]) => [name, kept(resolveSchema(schema).properties[name], value, name)]),
  );

/** A value of a response in a comparable form: an address by its value, not by its notation. */
export function shown(given: Json, value: unknown): unknown {
  const schema = resolveSchema(given);
  if (Array.isArray(value) && schema.items) return value.map((entry) => shown(schema.items, entry));
  return ['cidr', 'inet'].includes(schema.format) && typeof value === 'string' ? addressOf(value) : value;
}

const isPrice = ({ pattern }: Json): boolean => pattern?.includes('{0,7}') ?? false;

function withCents(value: string): string {
  const [whole, fraction = ''] = value.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** RFC 3339 in UTC of a time or date in any format that the contract accepts. */
export function instantOf(value: string): string {
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] =
    /^(.{10})(?:.(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(.*))?$/.exec(value)!;
  const offset = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  const minutes = offset ? (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3] ?? 0)) : 0;
  const utc = Date.parse(`${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  return new Date(utc - minutes * 60_000).toISOString();
}

function addressOf(value: string): string {
  const [host, prefix] = value.split('/') as [string, string];
  return `${isIP(host) === 6 ? new URL(`http://[${host}]`).hostname : host}/${prefix}`;
}

/** The lines of an order are sorted by `sortOrder`, then in the order in which they were sent. */
export function inOrder(lines: Json[]): Json[] {
  const place = (line: Json): number => line.sortOrder ?? Infinity;
  return lines.toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}
