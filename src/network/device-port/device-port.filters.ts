import { identifier, sql } from '../../database/sql.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { uuid } from '../../fields/types/uuid.js';

/** A filter by a reference of another record. @param condition SQL on `t` @param description the compared property */
const byId = (name: string, description: string, condition: ExtraFilter['sql']): ExtraFilter => ({
  name,
  description,
  schema: { type: 'string', format: 'uuid' },
  expects: uuid.expects,
  parse: (raw) => uuid.parse(raw),
  sqlType: 'uuid',
  sql: condition,
});

/** A filter by a field of the device. */
const ofDevice = (name: string, column: string, words: string): ExtraFilter =>
  byId(
    name,
    `Is on a device with one of these ${words}`,
    (id) => sql`t.device_id IN (SELECT d.id FROM devices d WHERE d.${identifier(column)} = ${id})`,
  );

const CONNECTED = sql`EXISTS (SELECT FROM cable_ends e WHERE e.end_id = t.id)`;

/** Filters of the ports of all devices, besides those of their own fields. */
export const devicePortFilters: readonly ExtraFilter[] = [
  ofDevice('siteId', 'site_id', 'sites'),
  ofDevice('locationId', 'location_id', 'locations'),
  ofDevice('rackId', 'rack_id', 'racks'),
  ofDevice('deviceRoleId', 'device_role_id', 'roles'),
  ofDevice('deviceTypeId', 'device_type_id', 'types'),
  byId(
    'vlanId',
    'Carries one of these VLANs, untagged or tagged',
    (id) =>
      sql`(t.untagged_vlan_id = ${id} OR t.id IN (SELECT v.port_id FROM device_port_vlans v WHERE v.vlan_id = ${id}))`,
  ),
  {
    name: 'isConnected',
    description: '`true`: has a cable, whatever its status; `false`: has none',
    schema: { type: 'boolean' },
    expects: 'true or false',
    parse: (raw) => (raw === 'true' || raw === 'false' ? raw === 'true' : undefined),
    sqlType: 'boolean',
    sql(_value, values) {
      if (values.includes(true)) return values.includes(false) ? sql`true` : CONNECTED;
      // The other filters select devices, and then their free ports. Ports with a cable are not read.
      return sql`(t.device_id, t.id) IN (SELECT f.device_id, f.port_id FROM free_ports f)`;
    },
  },
];
