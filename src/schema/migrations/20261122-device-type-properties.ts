import { SqlMigration } from './sql-migration.js';

const addColumns = [
  `ALTER TABLE device_types
    ADD weight double precision,
    ADD airflow varchar(255),
    ADD subdevice_role varchar(255),
    ADD is_powered boolean NOT NULL DEFAULT true,
    ADD CONSTRAINT ck_weight CHECK (weight >= 0 AND weight <= 100000)`,
];

/** A change of these columns by a customer makes a type the customer's. */
const ownWhen = (columns: readonly string[]): string => {
  const of = (row: string): string => `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
  return `CREATE TRIGGER device_types_own BEFORE UPDATE ON device_types FOR EACH ROW
    WHEN (OLD.source = 'vendor' AND NEW.source = 'vendor' AND coalesce(current_setting('inventory.library', true), '') = '' AND (
      ${of('NEW')} IS DISTINCT FROM ${of('OLD')}
      OR NEW.manufacturer_id <> OLD.manufacturer_id OR (OLD.manufacturer_id IS NULL AND NEW.manufacturer_id IS NOT NULL)
    ))
    EXECUTE FUNCTION own_device_type()`;
};
const FORMER = ['model', 'slug', 'part_number', 'u_height', 'is_full_depth', 'description'];
const ADDED = ['weight', 'airflow', 'subdevice_role', 'is_powered'];
const dropTrigger = 'DROP TRIGGER device_types_own ON device_types';

/** What the device type library says of a type beside its size. */
export class DeviceTypeProperties1795380000000 extends SqlMigration {
  readonly name = 'DeviceTypeProperties1795380000000';
  protected readonly statements = {
    up: [...addColumns, dropTrigger, ownWhen([...FORMER, ...ADDED])],
    down: [
      dropTrigger,
      `ALTER TABLE device_types ${ADDED.map((column) => `DROP COLUMN ${column}`).join(', ')}`,
      ownWhen(FORMER),
    ],
  };
}
