import { trackRecords, untrackRecords } from './record-table.js';
import { SqlMigration } from './sql-migration.js';

/*
 * Targets: the records that an incident, a change or a maintenance window affects, each with a real foreign key to the record.
 * Updates: the timeline of an incident.
 */

/** The tables of the records that have targets. */
const OWNERS = { incident: 'incidents', change_request: 'change_requests', maintenance_window: 'maintenance_windows' };

/** The tables of the records that can be targets. */
const TARGETED = {
  site: 'sites',
  location: 'locations',
  rack: 'racks',
  device: 'devices',
  cluster: 'clusters',
  virtual_machine: 'virtual_machines',
  ip_address: 'ip_addresses',
  asset: 'assets',
  software_licence: 'software_licences',
};

const resourceOf = (table: string): string => table.replaceAll('_', '-');

// The foreign keys follow from what the request says. A column that is set by hand is set right.
const point = `CREATE FUNCTION point_target() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
${Object.entries(TARGETED)
  .map(([name, table]) => `  NEW.${name}_id := CASE WHEN NEW.resource = '${resourceOf(table)}' THEN NEW.record_id END;`)
  .join('\n')}
  RETURN NEW;
END
$$`;

const targets = ([owner, owners]: [string, string]): string[] => {
  const table = `${owner}_targets`;
  const references = [...Object.entries(TARGETED), [owner, owners]];
  return [
    `CREATE TABLE ${table} (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    resource varchar(32) NOT NULL,
    record_id uuid NOT NULL,
${Object.keys(TARGETED)
  .map((name) => `    ${name}_id uuid,`)
  .join('\n')}
    ${owner}_id uuid NOT NULL,
    CONSTRAINT ck_resource CHECK (resource IN (${Object.values(TARGETED)
      .map((targeted) => `'${resourceOf(targeted)}'`)
      .join(', ')})),
    CONSTRAINT pk_${table} PRIMARY KEY (id),
${references
  .map(
    ([name, referred]) =>
      `    CONSTRAINT fk_${table}_${name}_id FOREIGN KEY (${name}_id) REFERENCES ${referred} (id) ON DELETE CASCADE`,
  )
  .join(',\n')}
  )`,
    `CREATE INDEX ix_${table}_created_at_id ON ${table} (created_at, id)`,
    ...references.map(([name]) => `CREATE INDEX ix_${table}_${name}_id ON ${table} (${name}_id)`),
    `CREATE INDEX ix_${table}_record_id ON ${table} (record_id)`,
    `CREATE UNIQUE INDEX uq_${table}_record ON ${table} (${owner}_id, resource, record_id)`,
    // Before the trigger that stamps the record, which compares all columns.
    `CREATE TRIGGER ${table}_point BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION point_target()`,
    ...trackRecords(table, { area: 'operations' }),
  ];
};

const updates = [
  `CREATE TABLE incident_updates (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    incident_id uuid NOT NULL,
    message text NOT NULL,
    status varchar(255),
    severity varchar(255),
    author varchar(255) NOT NULL,
    CONSTRAINT pk_incident_updates PRIMARY KEY (id),
    CONSTRAINT fk_incident_updates_incident_id FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_incident_updates_created_at_id ON incident_updates (created_at, id)',
  'CREATE INDEX ix_incident_updates_incident_id ON incident_updates (incident_id)',
  ...trackRecords('incident_updates', { area: 'operations' }),
];

// What is not over: the past grows, and none of these indexes with it.
const pending = [
  `CREATE INDEX ix_maintenance_windows_pending ON maintenance_windows USING gist (tstzrange(start_time, end_time))
    WHERE status NOT IN ('completed', 'cancelled')`,
  `CREATE INDEX ix_change_requests_pending ON change_requests (scheduled_for)
    WHERE status NOT IN ('completed', 'failed', 'cancelled', 'rejected')`,
  `CREATE INDEX ix_incidents_open ON incidents (id) WHERE coalesce(status, 'open') NOT IN ('resolved', 'closed')`,
];

const up = [point, ...Object.entries(OWNERS).flatMap(targets), ...updates, ...pending];

const down = [
  'DROP INDEX ix_incidents_open',
  'DROP INDEX ix_change_requests_pending',
  'DROP INDEX ix_maintenance_windows_pending',
  ...untrackRecords('incident_updates'),
  'DROP TABLE incident_updates',
  ...Object.keys(OWNERS).flatMap((owner) => [...untrackRecords(`${owner}_targets`), `DROP TABLE ${owner}_targets`]),
  'DROP FUNCTION point_target()',
];

export class Targets1795341000000 extends SqlMigration {
  readonly name = 'Targets1795341000000';
  protected readonly statements = { up, down };
}
