import { JSON_TYPE } from '../http/replies.js';
import type { TextRow } from '../database/row-stream.js';
import { EMPTY, sql, where, type Sql } from '../database/sql.js';
import { listOf } from '../lists/list-query.js';
import type { RequestContext } from '../lists/request-context.js';
import { requestConditions } from '../lists/request-sql.js';
import { Device } from '../network/device/device.entity.js';
import { choice, ids, integer, whichOf, type Parameter } from '../lists/parameters/query-parameters.js';
import { named } from '../openapi/schema.js';
import { canonicalKey, reverseName, zoneOf, type Zone } from './dns-zone.js';
import { hostNameOf } from './host-name.js';
import { outputQuery, PROBLEMS, type OutputRequest } from './output-parameters.js';
import { inPieces, type Output } from './output-document.js';
import { isOwnAddress, isOwnName } from './own-machine.js';
import { problemList, type OutputProblem } from './problem.js';

export const DNS_TYPE = 'text/dns';

export interface DnsRequest extends OutputRequest {
  zone: Zone;
  ttl: number;
  /** Only the addresses in these VRFs; all if there are none. */
  vrfIds: readonly string[];
  asJson: boolean;
  /** Host names in lower case that get no records. */
  nameServers: readonly string[];
}

const ZONE: Parameter<DnsRequest> = {
  name: 'zone',
  description:
    'Name of the zone, such as `example.net`, or of a reverse zone of whole octets or nibbles, such as `2.0.192.in-addr.arpa`',
  schema: { type: 'string', example: 'example.net' },
  many: false,
  required: true,
  apply(request, [raw]) {
    const zone = zoneOf(raw!);
    if (!zone) return 'must be a zone, such as example.net, 2.0.192.in-addr.arpa or 8.b.d.0.1.0.0.2.ip6.arpa';
    request.zone = zone;
    return undefined;
  },
};

const MOST_NAME_SERVERS = 16;

const NAME_SERVER: Parameter<DnsRequest> = {
  name: 'nameServer',
  description:
    'Names of the name servers of the zone. Their records are in the zone file itself, so an address with such a name is a problem',
  schema: { type: 'string', example: 'ns1.example.net' },
  many: true,
  most: MOST_NAME_SERVERS,
  apply(request, given) {
    if (given.length > MOST_NAME_SERVERS) return `must be given at most ${MOST_NAME_SERVERS} times`;
    const names = given.map((text) => hostNameOf(text)?.toLowerCase());
    const wrong = names.indexOf(undefined);
    if (wrong >= 0) return `must be host names${whichOf(given, given[wrong]!)}`;
    request.nameServers = names as string[];
    return undefined;
  },
};

export const dnsQuery = outputQuery<DnsRequest>(
  listOf(Device),
  [
    ZONE,
    integer<DnsRequest>(
      'ttl',
      'Seconds that a resolver may keep a record',
      { min: 0, max: 2_147_483_647, default: 3600 },
      (request, value) => (request.ttl = value),
    ),
    ids<DnsRequest>('vrfId', 'Only the addresses in these VRFs', (request, values) => (request.vrfIds = values)),
    choice<DnsRequest, 'json'>(
      'format',
      'DnsFormat',
      'The records as JSON instead of lines of a zone file',
      ['json'],
      (request) => (request.asJson = true),
    ),
    NAME_SERVER,
    PROBLEMS,
  ],
  { zone: { name: '' }, ttl: 3600, vrfIds: [], asJson: false, nameServers: [], problems: false },
  ['sort', 'order'],
);

export const DNS_SCHEMA = {
  type: 'array',
  description: 'The record sets of the zone, sorted',
  items: named(
    { name: 'DnsRecordSet' },
    {
      type: 'object',
      required: ['name', 'type', 'ttl', 'records'],
      properties: {
        name: { type: 'string', description: 'Owner of the records, absolute', example: 'sw-01.example.net.' },
        type: named(
          { name: 'DnsRecordType' },
          { type: 'string', enum: ['A', 'AAAA', 'PTR'], description: 'Type of the records' },
        ),
        ttl: { type: 'integer', description: 'Seconds that a resolver may keep them', example: 3600 },
        records: {
          type: 'array',
          items: { type: 'string' },
          description: 'Data of the records',
          example: ['192.0.2.7'],
        },
      },
    },
  ),
};

/** An address in a zone. */
interface ZoneAddress {
  id: string;
  /** With prefix length. */
  address: string;
  /** Without prefix length. */
  host: string;
  dnsName: string | null;
}

/** A statement of the addresses of a zone in network order, each as the text of a JSON array. Filters of devices leave out those without a device. */
export function addressRows(ctx: RequestContext, request: DnsRequest): Sql {
  const { zone, vrfIds } = request;
  const conditions = requestConditions(request, ctx.resource(Device));
  const host = sql`set_masklen(a.address, CASE a.family WHEN 4 THEN 32 ELSE 128 END)`;
  // The DNS ignores the case of ASCII letters only.
  const name = sql`lower(CASE WHEN right(a.dns_name, 1) = '.' THEN left(a.dns_name, -1) ELSE a.dns_name END COLLATE "C")`;
  const inZone =
    zone.network === undefined
      ? sql`right('.' || ${name}, ${zone.name.length + 1}::int) = ${`.${zone.name}`}`
      : sql`${host} <<= ${zone.network}::inet`;
  const chosen = where([
    sql`a.status IS DISTINCT FROM 'deprecated'`,
    inZone,
    ...(vrfIds.length > 0 ? [sql`a.vrf_id = ANY(${vrfIds}::uuid[])`] : []),
    ...conditions,
  ]);
  const devices = conditions.length > 0 ? sql`JOIN devices t ON t.id = a.device_id` : EMPTY;
  return sql`SELECT json_build_array(a.id, a.address::text, host(a.address), a.dns_name)::text FROM ip_addresses a ${devices}
    ${chosen} ORDER BY ${host}, a.address, a.id`;
}

/** Reads a row of that statement. */
export const zoneAddress = ([id, address, host, dnsName]: TextRow): ZoneAddress => ({
  id: id!,
  address: address!,
  host: host!,
  dnsName: dnsName!,
});

type RecordType = 'A' | 'AAAA' | 'PTR';

interface DnsRecord {
  /** Without a last dot. */
  owner: string;
  type: RecordType;
  data: string;
}

/** The records of a zone without SOA and NS. Each is one text, and the texts sort like the records. */
export class ZoneRecords implements Output<ZoneAddress> {
  readonly type: string;
  private readonly records: string[] = [];
  private readonly problems: OutputProblem[] = [];

  constructor(private readonly request: DnsRequest) {
    this.type = request.asJson || request.problems ? JSON_TYPE : DNS_TYPE;
  }

  add({ id, address, host, dnsName }: ZoneAddress): string {
    const name = dnsName ? hostNameOf(dnsName)?.toLowerCase() : undefined;
    const problem = this.problemOf(host, dnsName, name);
    if (name === undefined || problem !== undefined) {
      this.problems.push({ resource: 'ip-addresses', id, name: address, problem: problem! });
    } else if (this.request.zone.network === undefined) {
      // Addresses are found in their order.
      const place = String(this.records.length).padStart(10, '0');
      this.record({ owner: name, type: host.includes(':') ? 'AAAA' : 'A', data: host }, place);
    } else {
      this.record({ owner: reverseName(host), type: 'PTR', data: `${name}.` }, canonicalKey(name));
    }
    return '';
  }

  rest(): Iterable<string> {
    if (this.request.problems) return [problemList(this.problems)];
    return inPieces(this.request.asJson ? this.sets() : this.lines());
  }

  /** Why an address has no record; undefined if it has one. @param name its host name in lower case */
  private problemOf(host: string, dnsName: string | null, name: string | undefined): string | undefined {
    if (!dnsName) return 'has no DNS name';
    if (name === undefined) return 'has a DNS name that is not a valid host name';
    if (isOwnName(name)) return 'has a DNS name of the local machine';
    if (isOwnAddress(host)) return 'is an address of the local machine';
    const { zone, nameServers } = this.request;
    return zone.network === undefined && nameServers.includes(name)
      ? 'has the name of a name server of the zone'
      : undefined;
  }

  /** @param place sort key of records with the same owner and type */
  private record({ owner, type, data }: DnsRecord, place: string): void {
    this.records.push(`${canonicalKey(owner)}\0\0${type}\0${place}\n${owner} ${type} ${data}`);
  }

  /** All records in order, without duplicates. */
  private *sorted(): Generator<DnsRecord> {
    let last = '';
    for (const text of this.records.toSorted()) {
      const record = text.slice(text.indexOf('\n') + 1);
      if (record === last) continue;
      last = record;
      const [owner, type, data] = record.split(' ') as [string, RecordType, string];
      yield { owner, type, data };
    }
  }

  private *lines(): Generator<string> {
    for (const { owner, type, data } of this.sorted()) yield `${owner}. ${this.request.ttl} IN ${type} ${data}\n`;
  }

  private *sets(): Generator<string> {
    let set: { name: string; type: RecordType; ttl: number; records: string[] } | undefined;
    let before = '[';
    for (const { owner, type, data } of this.sorted()) {
      const name = `${owner}.`;
      if (set && set.name === name && set.type === type) {
        set.records.push(data);
        continue;
      }
      if (set) {
        yield before + JSON.stringify(set);
        before = ',';
      }
      set = { name, type, ttl: this.request.ttl, records: [data] };
    }
    yield set ? `${before}${JSON.stringify(set)}]` : '[]';
  }
}
