import { choice, type Parameter } from '../lists/parameters/query-parameters.js';
import { words } from '../lists/parameters/words.js';
import { unstorable } from '../fields/types/text.js';
import { EMPTY, join, literal, raw, sql, where, type Sql } from '../database/sql.js';
import type { TextRow } from '../database/row-stream.js';
import type { ListRequest } from '../lists/list-request.js';
import { columnOf, tableOf, valueOf, type RecordSql } from '../lists/record-sql.js';
import { orderOf, requestConditions } from '../lists/request-sql.js';
import { keyOf } from '../fields/custom/custom-values.js';
import type { RequestContext } from '../lists/request-context.js';
import { isList, type Class, type StoredField } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { Device } from '../network/device/device.entity.js';
import { VirtualMachine } from '../network/virtual-machine/virtual-machine.entity.js';
import { PROBLEMS, type OutputRequest } from './output-parameters.js';
import { ownAddress } from './own-machine.js';

/** The resources of hosts, in the order of an output. */
export const HOST_RESOURCES = ['devices', 'virtual-machines'] as const;
export type HostResource = (typeof HOST_RESOURCES)[number];

/** Stands for all roles that are not listed. */
const ANY = 'any';
const ROLES = ['mgmt', 'loopback', ANY];
const MOST_ROLES = 16;

/** A request for devices, or for virtual machines, with one address each. */
export interface HostOutputRequest extends OutputRequest {
  /** The resource whose list has the filters and the order. */
  resource: HostResource;
  /** Roles of addresses in the order of preference. Other roles do not count. */
  addressRoles: readonly string[];
  family: '4' | '6';
}

/** Defaults of the parameters below. */
export const HOST_DEFAULTS: Omit<HostOutputRequest, keyof ListRequest> = {
  resource: HOST_RESOURCES[0],
  addressRoles: ROLES,
  family: '4',
  problems: false,
};

const ADDRESS_ROLE: Parameter<HostOutputRequest> = {
  name: 'addressRole',
  description:
    'Roles of addresses in order of preference. `any` stands for all other roles, and for no role. By default `mgmt`, then `loopback`, then `any`',
  schema: { type: 'string', example: 'mgmt' },
  many: true,
  most: MOST_ROLES,
  apply(request, roles) {
    if (roles.length > MOST_ROLES) return `must be given at most ${MOST_ROLES} times`;
    if (roles.some((role) => role === '' || unstorable(role))) return `must be roles of addresses, or ${ANY}`;
    request.addressRoles = roles;
    return undefined;
  },
};

const FAMILIES = ['4', '6'] as const;

const FAMILY: Parameter<HostOutputRequest> = {
  ...choice<HostOutputRequest, '4' | '6'>(
    'family',
    'PreferredIpFamily',
    'IP version that is preferred where a host has addresses of both',
    FAMILIES,
    (request, value) => (request.family = value),
  ),
  schema: { type: 'string', enum: FAMILIES, default: '4' },
};

const RESOURCE: Parameter<HostOutputRequest> = {
  ...words<HostOutputRequest, HostResource>(
    'resource',
    'HostResource',
    'Kind of the hosts. With both, which is `resource=devices&resource=virtual-machines`, only the filters that both lists have are known',
    HOST_RESOURCES,
    // A separate request for each resource (`host-query.ts`).
    () => undefined,
  ),
  schema: { type: 'string', enum: HOST_RESOURCES, default: HOST_RESOURCES[0] },
};

/** The parameters that outputs of hosts share. */
export const HOST_PARAMETERS: readonly Parameter<HostOutputRequest>[] = [RESOURCE, ADDRESS_ROLE, FAMILY, PROBLEMS];

/** The names of the properties of a host in outputs. */
const LABELS = [
  'id',
  'name',
  'kind',
  'site',
  'location',
  'rack',
  'role',
  'type',
  'manufacturer',
  'platform',
  'cluster',
  'status',
] as const;
type Label = (typeof LABELS)[number];

/** Where to read hosts from. */
interface HostSource {
  record: Class<StoredRecord>;
  /** SQL of the labels that it has. */
  labels: Partial<Record<Label, string>>;
  tenantGroup?: string;
  /** The tables of the labels. They are joined, so that they are read once and not for each host. */
  joins: string;
  /** The addresses `a` of a host `t`. */
  addresses: string;
}

const SOURCES: Readonly<Record<HostResource, HostSource>> = {
  devices: {
    record: Device,
    labels: {
      id: 't.id',
      name: 't.name',
      kind: `'device'`,
      site: 'site.name',
      location: 'location.name',
      rack: 'rack.name',
      role: 'role.name',
      type: 'type.model',
      manufacturer: 'manufacturer.name',
      platform: 'platform.name',
      cluster: 'cluster.name',
      status: 't.status',
    },
    tenantGroup: 'tenant_group.name',
    joins: `
      LEFT JOIN sites site ON site.id = t.site_id
      LEFT JOIN locations location ON location.id = t.location_id
      LEFT JOIN racks rack ON rack.id = t.rack_id
      LEFT JOIN device_roles role ON role.id = t.device_role_id
      LEFT JOIN device_types type ON type.id = t.device_type_id
      LEFT JOIN manufacturers manufacturer ON manufacturer.id = type.manufacturer_id
      LEFT JOIN platforms platform ON platform.id = t.platform_id
      LEFT JOIN clusters cluster ON cluster.id = t.cluster_id
      LEFT JOIN tenant_groups tenant_group ON tenant_group.id = t.tenant_group_id`,
    addresses: 'ip_addresses a WHERE a.device_id = t.id',
  },
  'virtual-machines': {
    record: VirtualMachine,
    labels: {
      id: 't.id',
      name: 't.name',
      kind: `'virtual-machine'`,
      site: 'site.name',
      platform: 'platform.name',
      cluster: 'cluster.name',
      status: 't.status',
    },
    joins: `
      LEFT JOIN clusters cluster ON cluster.id = t.cluster_id
      LEFT JOIN sites site ON site.id = cluster.site_id
      LEFT JOIN platforms platform ON platform.id = t.platform_id`,
    addresses:
      'virtual_machine_addresses m JOIN ip_addresses a ON a.id = m.ip_address_id WHERE m.virtual_machine_id = t.id',
  },
};

/** Cells per array, because an SQL function has at most a hundred arguments. */
const MOST_CELLS = 50;

/** SQL of the values of custom fields, in several arrays. A reference is the name of its target, a list is an array. */
function customCells({ custom, named }: RecordSql): string[] {
  const references = new Map(named.map((reference) => [reference.field, reference]));
  const cells = custom.fields.map((field) => {
    if (isList(field)) return columnOf(field);
    const reference = references.get(field);
    if (!reference) return `(${valueOf(field, 't')})::text`;
    if (reference.isHidden) return 'NULL';
    const name = valueOf(reference.naming, 'named');
    return `(SELECT (${name})::text FROM ${tableOf(reference.target)} named WHERE named.id = ${columnOf(field)})`;
  });
  const chunks = Math.ceil(cells.length / MOST_CELLS);
  return Array.from(
    { length: chunks },
    (_, at) => `json_build_array(${cells.slice(at * MOST_CELLS, (at + 1) * MOST_CELLS).join(', ')})`,
  );
}

/** A device or virtual machine with its management address. */
export interface OutputHost {
  resource: HostResource;
  id: string;
  name: string;
  /** Without prefix length; null if there is none with a requested role. */
  address: string | null;
  dnsName: string | null;
  tenantGroup: string | null;
  /** Values of its custom fields, by the names of the fields. */
  custom: ReadonlyMap<string, readonly string[]>;
  /** Names and values of its labels. Labels without a value are left out. */
  labels: readonly (readonly [name: string, value: string])[];
}

/** A statement of the hosts of requests, each with its address, in their order, as the text of a JSON array. */
export function hostRows(ctx: RequestContext, requests: readonly HostOutputRequest[]): Sql {
  if (requests.length === 1) return sql`${rowsOf(ctx, requests[0]!)} ORDER BY ${orderOf(requests[0]!.sort).text}`;
  const parts = requests.map(
    (request, part) =>
      sql`SELECT r.row, ${part}::int AS part, r.place FROM (${rowsOf(ctx, request, sql`, row_number() OVER (ORDER BY ${orderOf(request.sort).text})`)}) r (row, place)`,
  );
  return sql`SELECT hosts.row FROM (${join(parts, ' UNION ALL ')}) hosts ORDER BY hosts.part, hosts.place`;
}

/** @param more further columns */
function rowsOf(ctx: RequestContext, request: HostOutputRequest, more: Sql = EMPTY): Sql {
  const { addressRoles, family, resource } = request;
  const { record, labels, tenantGroup = 'NULL', joins, addresses } = SOURCES[resource];
  const roles = sql`${addressRoles}::text[]`;
  const place = sql`coalesce(array_position(${roles}, a.role::text), array_position(${roles}, ${literal(ANY)}))`;
  const host = sql`set_masklen(a.address, CASE a.family WHEN 4 THEN 32 ELSE 128 END)`;
  const direction = raw(family === '6' ? 'DESC' : 'ASC');
  const listed = ctx.resource(record);
  const shown = [...LABELS.map((label) => labels[label] ?? 'NULL'), ...customCells(listed)].join(', ');
  return sql`SELECT json_build_array(${literal(resource)}, host(reached.address), reached.dns_name, ${raw(tenantGroup)}, ${raw(shown)})::text${more}
      FROM ${raw(tableOf(record))} t ${raw(joins)} LEFT JOIN LATERAL (
        SELECT a.address, a.dns_name FROM ${raw(addresses)}
          AND a.status IS DISTINCT FROM 'deprecated' AND ${place} IS NOT NULL
          AND NOT (${host} <<= '169.254.0.0/16' OR ${host} <<= 'fe80::/10' OR ${ownAddress(host)})
        ORDER BY ${place}, a.family ${direction}, ${host}, a.address, a.id LIMIT 1
      ) reached ON true
      ${where(requestConditions(request, listed))}`;
}

/** Reads rows of that statement. */
export function hostReader({ fields }: RequestContext): (row: TextRow) => OutputHost {
  const fieldsOf = new Map<string, readonly StoredField[]>(
    HOST_RESOURCES.map((resource) => [resource, fields.of(SOURCES[resource].record).fields]),
  );
  return ([resource, address, dnsName, tenantGroup, ...cells]) => {
    const labels: (readonly [string, string])[] = [];
    LABELS.forEach((label, place) => {
      const value = cells[place];
      if (value) labels.push([label, value]);
    });
    const custom = new Map<string, readonly string[]>();
    const values: readonly (string | string[] | null)[] = cells.slice(LABELS.length).flat();
    values.forEach((value, place) => {
      const several = [value ?? []].flat();
      if (several.length === 0) return;
      const field = fieldsOf.get(resource!)![place]!;
      custom.set(field.property, several);
      const text = several.join(',');
      if (text !== '') labels.push([`custom_${keyOf(field)}`, text]);
    });
    const [id, name] = cells as [string, string];
    return {
      resource: resource as HostResource,
      id,
      name,
      address: address!,
      dnsName: dnsName!,
      tenantGroup: tenantGroup!,
      custom,
      labels,
    };
  };
}
