import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { LINE_PATTERN, VISIBLE_LINE_PATTERN, VISIBLE_PATTERN } from '../../src/fields/types/visible.js';
import { instantOf } from '../hostile/kept.js';
import { document, formatOf, resolveSchema, type Json } from './document.js';

// A rule of all texts that only the description of the document mentions: no NUL, and no lone surrogates.
const storable = (value: string): boolean => !value.includes('\0');
export const characters = (minLength: number, maxLength: number): Arbitrary<string> =>
  fc.string({ unit: 'binary', minLength, maxLength }).filter(storable);

// Every accepted format of a date or time matches its pattern. On the first and the last day of the years 1 to 9999 the offset matters,
// which only the description mentions.
const moments = fc
  .stringMatching(new RegExp(document.components.schemas.Timestamp.pattern))
  .filter((value) => !/^(?:0001-01-01|9999-12-31)./.test(value));
const prefixed = (host: Arbitrary<string>, bits: number): Arbitrary<string> =>
  fc.tuple(host, fc.integer({ min: 0, max: bits })).map(([address, prefix]) => `${address}/${prefix}`);

const FORMATS: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid(),
  date: moments,
  'date-time': moments,
  email: fc.emailAddress(),
  password: characters(12, 64),
  // An address with its prefix length, and a network, which has no host bits.
  inet: fc.oneof(prefixed(fc.ipV4(), 32), prefixed(fc.ipV6(), 128)),
  cidr: fc.oneof(
    fc.ipV4().map((address) => `${address.slice(0, address.lastIndexOf('.'))}.0/24`),
    fc.integer({ min: 0, max: 0xffff }).map((group) => `2001:db8:${group.toString(16)}::/48`),
  ),
  'iso-4217': fc.constantFrom('USD', 'EUR', 'JPY', 'CHF', 'KWD'),
};

/** Values that a schema allows. With `ids`, a uuid is a reference to the record of that name, or to a missing record. */
export function allowed(given: Json, ids?: Record<string, string>, name = ''): Arbitrary<unknown> {
  const schema = resolveSchema(given);
  if (ids && schema.format === 'uuid' && !ids[name]) return fc.constant(null);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice: Json) => allowed(choice, ids, name)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type, pattern, minimum, maximum, multipleOf, minLength = 0, maxLength = 64 } = schema;
  const format = formatOf(schema);
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => allowed({ ...schema, type: one }, ids, name)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum ?? -(2 ** 31), max: maximum ?? 2 ** 31 - 1 });
    case 'number':
      return multipleOf
        ? fc.integer({ min: minimum / multipleOf, max: maximum / multipleOf }).map((count) => count * multipleOf)
        : fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true });
    case 'array':
      return (schema.uniqueItems ? fc.uniqueArray : fc.array)(allowed(schema.items, ids, name), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties as Json).map(([property, value]) => [
            property,
            allowed(value, ids, property),
          ]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    case 'string':
      if (format === 'uuid' && ids?.[name]) return fc.constant(ids[name]);
      if (format) return FORMATS[format]!;
      if (pattern && ![LINE_PATTERN, VISIBLE_LINE_PATTERN, VISIBLE_PATTERN].includes(pattern))
        return fc
          .stringMatching(new RegExp(pattern))
          .filter((value) => !schema.not || !new RegExp(schema.not.pattern).test(value));
      return fc
        .oneof(
          { weight: 9, arbitrary: characters(minLength, Math.min(maxLength, 64)) },
          { weight: 1, arbitrary: fc.constant('𝒳'.repeat(maxLength)) },
        )
        .filter((value) => !pattern || new RegExp(pattern).test(value));
    default:
      throw new Error(`No values of ${JSON.stringify(schema)}`);
  }
}

/** Rules that involve several fields or the current state. Schemas cannot express them; the descriptions in the document do. */
export const without =
  (...fields: string[]) =>
  ({ ...body }: Json): Json => {
    for (const field of fields) delete body[field];
    return body;
  };

/** Fields that only ports of some kinds or modes have. */
const ofSomePorts = without(
  ...['kind', 'parentId', 'lagId', 'mode', 'untaggedVlanId', 'vrfId', 'maximumDrawW', 'allocatedDrawW'],
  ...['powerPortId', 'feedLeg', 'rearPortId', 'rearPosition', 'positions'],
);

const inOrder =
  (first: string, last: string, meant: (value: string) => string = instantOf) =>
  (body: Json): Json => {
    if (!(first in body) && !(last in body)) return body;
    const [from, to] = [body[first] ?? null, body[last] ?? null];
    return { ...body, [first]: from, [last]: from && to && meant(to) < meant(from) ? null : to };
  };
/** A termination has either a site or a provider's network. */
const oneEnd = without('providerNetwork');

/** A booking has one of an asset, a device and a category, and a time. Both ends of it are sent, or neither. */
const booking = (given: Json): Json => {
  const { startTime, endTime, ...body } = without('deviceId', 'categoryId')(given);
  if (startTime === undefined || endTime === undefined) return body;
  return {
    ...body,
    endTime,
    startTime: instantOf(startTime) < instantOf(endTime) ? startTime : '0001-01-01T00:00:00.000Z',
  };
};

/** Units are reserved for some time, which may be open. */
const reservation = ({ endTime, ...body }: Json): Json => ({
  ...body,
  ...(endTime !== undefined && {
    endTime: body.startTime && endTime && instantOf(body.startTime) < instantOf(endTime) ? endTime : null,
  }),
});

export const WITHIN_THE_RULES: Record<string, (body: Json) => Json> = {
  '/api/bookings': booking,
  '/api/rack-reservations': reservation,
  '/api/ip-addresses': without('family'),
  '/api/on-call-schedules': inOrder('startTime', 'endTime'),
  '/api/maintenance-windows': inOrder('startTime', 'endTime'),
  '/api/contracts': inOrder('startDate', 'endDate', (value) => value.slice(0, 10)),
  '/api/circuits': inOrder('installDate', 'terminationDate', (value) => value.slice(0, 10)),
  '/api/incidents': inOrder('detectedAt', 'resolvedAt'),
  // Whether a device fits depends on its rack.
  '/api/devices': without('rackPosition'),
  '/api/vlan-groups': ({ minVid, ...body }) => ({ ...body, ...(minVid <= (body.maxVid ?? 0) && { minVid }) }),
  ...Object.fromEntries(
    ['incidents', 'change-requests', 'maintenance-windows', 'runbooks', 'known-issues'].map((owner) => [
      `/api/${owner}/{/api/${owner}}/targets`,
      // The record that the row refers to.
      (body: Json) => ({ ...body, ...('resource' in body && { resource: 'devices' }) }),
    ]),
  ),
  ...Object.fromEntries(
    ['regions', 'sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets'].map(
      (owner) => [
        `/api/${owner}/{/api/${owner}}/responsibilities`,
        // Either a roster or a person is responsible.
        (body: Json) => ({
          ...without('personId')(body),
          roster: body.roster ?? 'Network',
        }),
      ],
    ),
  ),
  ...Object.fromEntries(
    ['contracts', 'slas'].map((owner) => [
      `/api/${owner}/{/api/${owner}}/coverage`,
      (body: Json) =>
        inOrder('startDate', 'endDate', (value) => value.slice(0, 10))({
          ...body,
          ...('resource' in body && { resource: 'devices' }),
        }),
    ]),
  ),
  // A person, an asset or a device is the holder of a seat.
  '/api/software-licences/{/api/software-licences}/seats': without('assetId', 'deviceId'),
  // The allowed statuses of an order depend on its current status. Other tests cover them.
  '/api/purchase-orders': without('status'),
  // Other tests cover the kinds of ports.
  '/api/device-types/{/api/device-types}/ports': ofSomePorts,
  '/api/devices/{/api/devices}/ports': ofSomePorts,
  '/api/device-type-ports': ofSomePorts,
  '/api/device-ports': ofSomePorts,
  // The records are those that the row refers to.
  '/api/cables': without('aResource', 'bResource'),
  '/api/circuits/{/api/circuits}/terminations': oneEnd,
  '/api/circuit-terminations': oneEnd,
};
