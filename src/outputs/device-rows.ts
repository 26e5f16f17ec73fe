import { choice, type Parameter } from '../lists/parameters/query-parameters.js';
import { unstorable } from '../fields/types/text.js';
import { literal, raw, sql, where, type Sql } from '../database/sql.js';
import type { TextRow } from '../database/row-stream.js';
import type { ListRequest } from '../lists/list-request.js';
import { recordSqlOf } from '../lists/record-sql.js';
import { orderOf, requestConditions } from '../lists/request-sql.js';
import { Device } from '../network/device/device.entity.js';
import { PROBLEMS, type OutputRequest } from './output-parameters.js';

/** Stands for the roles that are not named. */
const ANY = 'any';
const ROLES = ['mgmt', 'loopback', ANY];
const MOST_ROLES = 16;

/** A request for devices with one address each. */
export interface DeviceOutputRequest extends OutputRequest {
  /** Roles of addresses that count, the preferred first. */
  addressRoles: readonly string[];
  family: '4' | '6';
}

/** Defaults of the parameters below. */
export const DEVICE_DEFAULTS: Omit<DeviceOutputRequest, keyof ListRequest> = {
  addressRoles: ROLES,
  family: '4',
  problems: false,
};

const ADDRESS_ROLE: Parameter<DeviceOutputRequest> = {
  name: 'addressRole',
  description:
    'Roles of the addresses that count, in order of preference. `any` stands for all roles that are not named, and for no role. Without it `mgmt`, then `loopback`, then `any`',
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

const FAMILY: Parameter<DeviceOutputRequest> = {
  ...choice<DeviceOutputRequest, '4' | '6'>(
    'family',
    'PreferredIpFamily',
    'IP version that is preferred where a device has addresses of both',
    FAMILIES,
    (request, value) => (request.family = value),
  ),
  schema: { type: 'string', enum: FAMILIES, default: '4' },
};

/** The parameters that outputs of devices share. */
export const DEVICE_PARAMETERS: readonly Parameter<DeviceOutputRequest>[] = [ADDRESS_ROLE, FAMILY, PROBLEMS];

/** What an output says of a device: the name of the label, and its SQL. */
const LABELS: Readonly<Record<string, string>> = {
  id: 't.id',
  name: 't.name',
  site: 'site.name',
  location: 'location.name',
  rack: 'rack.name',
  role: 'role.name',
  type: 'type.model',
  manufacturer: 'manufacturer.name',
  platform: 'platform.name',
  cluster: 'cluster.name',
  status: 't.status',
};

/** The tables of the labels. As joins they are read once, and not for each device. */
const JOINS = `
  LEFT JOIN sites site ON site.id = t.site_id
  LEFT JOIN locations location ON location.id = t.location_id
  LEFT JOIN racks rack ON rack.id = t.rack_id
  LEFT JOIN device_roles role ON role.id = t.device_role_id
  LEFT JOIN device_types type ON type.id = t.device_type_id
  LEFT JOIN manufacturers manufacturer ON manufacturer.id = type.manufacturer_id
  LEFT JOIN platforms platform ON platform.id = t.platform_id
  LEFT JOIN clusters cluster ON cluster.id = t.cluster_id
  LEFT JOIN tenant_groups tenant_group ON tenant_group.id = t.tenant_group_id`;

const LABEL_NAMES = Object.keys(LABELS);

/** A device with the address that it is reached at. */
export interface OutputDevice {
  id: string;
  name: string;
  /** Without prefix length; null if it has none that counts. */
  address: string | null;
  dnsName: string | null;
  tenantGroup: string | null;
  /** Names and values of its labels; those without a value are left out. */
  labels: readonly (readonly [name: string, value: string])[];
}

/** A statement of the devices of a request, each with its address, in their order, as the text of a JSON array. */
export function deviceRows(request: DeviceOutputRequest): Sql {
  const { addressRoles, family, sort } = request;
  const roles = sql`${addressRoles}::text[]`;
  const place = sql`coalesce(array_position(${roles}, a.role::text), array_position(${roles}, ${literal(ANY)}))`;
  const host = sql`set_masklen(a.address, CASE a.family WHEN 4 THEN 32 ELSE 128 END)`;
  const direction = raw(family === '6' ? 'DESC' : 'ASC');
  return sql`SELECT json_build_array(host(reached.address), reached.dns_name,
        tenant_group.name, ${raw(Object.values(LABELS).join(', '))})::text
      FROM devices t ${raw(JOINS)} LEFT JOIN LATERAL (
        SELECT a.address, a.dns_name FROM ip_addresses a
        WHERE a.device_id = t.id AND a.status IS DISTINCT FROM 'deprecated' AND ${place} IS NOT NULL
          AND NOT (${host} <<= '169.254.0.0/16' OR ${host} <<= 'fe80::/10')
        ORDER BY ${place}, a.family ${direction}, ${host}, a.address, a.id LIMIT 1
      ) reached ON true
      ${where(requestConditions(request, recordSqlOf(Device)))} ORDER BY ${raw(orderOf(sort))}`;
}

/** Reads a row of that statement. */
export function outputDevice([address, dnsName, tenantGroup, ...cells]: TextRow): OutputDevice {
  const labels: (readonly [string, string])[] = [];
  cells.forEach((value, place) => {
    if (value) labels.push([LABEL_NAMES[place]!, value]);
  });
  const [id, name] = cells as [string, string];
  return { id, name, address: address!, dnsName: dnsName!, tenantGroup: tenantGroup!, labels };
}
