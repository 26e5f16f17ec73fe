import { trackRecords } from './record-table.js';
import { SqlMigration } from './sql-migration.js';

const table = [
  `CREATE TABLE device_type_ports (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    device_type_id uuid NOT NULL,
    name varchar(255) NOT NULL,
    label varchar(255),
    type varchar(255),
    mgmt_only boolean NOT NULL DEFAULT false,
    speed_mbps integer,
    description text,
    CONSTRAINT ck_speed_mbps CHECK (speed_mbps >= 0),
    CONSTRAINT pk_device_type_ports PRIMARY KEY (id),
    CONSTRAINT fk_device_type_ports_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_device_type_ports_created_at_id ON device_type_ports (created_at, id)',
  'CREATE INDEX ix_device_type_ports_device_type_id ON device_type_ports (device_type_id)',
  'CREATE UNIQUE INDEX ix_device_type_ports_device_type_id_name ON device_type_ports (device_type_id, name)',
  ...trackRecords('device_type_ports', {
    area: 'network',
    searched: { lines: ['name', 'label'], texts: ['description'] },
  }),
];

/*
 * A device type is of its vendor until somebody changes it, or its ports. The import of a library, which sets
 * `inventory.library` for its transaction, is the vendor. Clearing the manufacturer, as deleting it does, is no change of
 * the type; ports that come back with a restored type have the times of their creation.
 */
const source = [
  `CREATE FUNCTION own_device_type() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.source := 'customer';
  RETURN NEW;
END
$$`,
  `CREATE TRIGGER device_types_own BEFORE UPDATE ON device_types FOR EACH ROW
    WHEN (OLD.source = 'vendor' AND NEW.source = 'vendor' AND coalesce(current_setting('inventory.library', true), '') = '' AND (
      (NEW.model, NEW.slug, NEW.part_number, NEW.u_height, NEW.is_full_depth, NEW.description)
        IS DISTINCT FROM (OLD.model, OLD.slug, OLD.part_number, OLD.u_height, OLD.is_full_depth, OLD.description)
      OR NEW.manufacturer_id <> OLD.manufacturer_id OR (OLD.manufacturer_id IS NULL AND NEW.manufacturer_id IS NOT NULL)
    ))
    EXECUTE FUNCTION own_device_type()`,
  `CREATE FUNCTION own_device_type_of_ports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('inventory.library', true), '') <> '' THEN RETURN NULL; END IF;
  UPDATE device_types SET source = 'customer' WHERE source = 'vendor' AND id IN (
    SELECT device_type_id FROM changed WHERE TG_OP <> 'INSERT' OR created_at >= now()::timestamptz(3)
  );
  RETURN NULL;
END
$$`,
  ...['INSERT', 'UPDATE', 'DELETE'].map(
    (event) => `CREATE TRIGGER device_type_ports_own_${event.toLowerCase()} AFTER ${event} ON device_type_ports
    REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION own_device_type_of_ports()`,
  ),
];

const down = [
  'DROP TRIGGER device_types_own ON device_types',
  'DROP TABLE device_type_ports',
  'DROP FUNCTION own_device_type_of_ports()',
  'DROP FUNCTION own_device_type()',
];

export class DeviceTypePorts1795345000001 extends SqlMigration {
  readonly name = 'DeviceTypePorts1795345000001';
  protected readonly statements = { up: [...table, ...source], down };
}
