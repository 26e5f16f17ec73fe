import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * An address that is bound to a port belongs to the port's device. Ports never move, so this can only break where an
 * address is written, and the trigger looks at just those writes:
 *
 * - Binding it (interface_id is set or changed) makes device_id the port's device, whatever was given beside it. The
 *   device is locked before the foreign keys lock the port, in the order in which deleting the device locks them.
 *   Where the port or its device is gone, nothing is set and the foreign key on interface_id refuses.
 * - Changing device_id alone must not contradict the port. A device that is being deleted is exempt: its row is gone
 *   already when the foreign keys clear device_id and, by way of its ports, interface_id, in whichever order they run.
 *
 * Deleting a port clears interface_id by its foreign key and leaves device_id. An address without a port never gets here.
 */
const homeFunction = `
CREATE FUNCTION ip_addresses_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  home uuid;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.interface_id IS DISTINCT FROM OLD.interface_id THEN
    SELECT d.id INTO home
      FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id
      FOR KEY SHARE OF d;
    IF FOUND THEN
      NEW.device_id := home;
    END IF;
  ELSIF EXISTS (
    SELECT FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id AND p.device_id IS DISTINCT FROM NEW.device_id
  ) THEN
    RAISE EXCEPTION 'device_id contradicts the port of the address'
      USING ERRCODE = 'check_violation', TABLE = 'ip_addresses', CONSTRAINT = 'ck_ip_addresses_device_id';
  END IF;
  RETURN NEW;
END
$$`;

const homeTrigger = `
CREATE TRIGGER ip_addresses_home BEFORE INSERT OR UPDATE OF interface_id, device_id ON ip_addresses
  FOR EACH ROW WHEN (NEW.interface_id IS NOT NULL) EXECUTE FUNCTION ip_addresses_home()`;

/*
 * A location is never its own ancestor. Two changes that are harmless alone can close a circle together, so changes of
 * parents take turns: the second waits until the first has ended, and then sees it. A new location cannot close a circle,
 * as nothing lies within it yet, so creating takes no turn.
 */
const ancestryFunction = `
CREATE FUNCTION locations_ancestry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('locations.parent_id'));
  IF EXISTS (
    WITH RECURSIVE ancestors AS (
      SELECT NEW.parent_id AS id
      UNION
      SELECT l.parent_id FROM locations l JOIN ancestors a ON a.id = l.id WHERE l.parent_id IS NOT NULL
    )
    SELECT FROM ancestors WHERE id = NEW.id
  ) THEN
    RAISE EXCEPTION 'a location cannot be its own ancestor'
      USING ERRCODE = 'check_violation', TABLE = 'locations', CONSTRAINT = 'ck_locations_parent_id';
  END IF;
  RETURN NEW;
END
$$`;

const ancestryTrigger = `
CREATE TRIGGER locations_ancestry BEFORE UPDATE OF parent_id ON locations
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
  EXECUTE FUNCTION locations_ancestry()`;

const network = [
  homeFunction,
  homeTrigger,
  ancestryFunction,
  ancestryTrigger,
  // The order of lists by address, as the address field sorts.
  `CREATE INDEX ix_ip_addresses_address_order ON ip_addresses (
    set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END), masklen(address), id
  )`,
  // The filter `within`.
  'CREATE INDEX ix_ip_addresses_address_within ON ip_addresses USING gist (address inet_ops)',
];

const dropNetwork = [
  'DROP INDEX ix_ip_addresses_address_within',
  'DROP INDEX ix_ip_addresses_address_order',
  'DROP TRIGGER locations_ancestry ON locations',
  'DROP FUNCTION locations_ancestry()',
  'DROP TRIGGER ip_addresses_home ON ip_addresses',
  'DROP FUNCTION ip_addresses_home()',
];

const procurement = [
  // One open assignment an asset: of two that are handed out at once, one is refused.
  `CREATE UNIQUE INDEX uq_asset_assignments_open ON asset_assignments (asset_id) WHERE returned_at IS NULL`,
  // Serves the number of assets that each person of a list holds.
  `CREATE INDEX ix_asset_assignments_open_person ON asset_assignments (person_id) WHERE returned_at IS NULL`,
];

const dropProcurement = [`DROP INDEX ix_asset_assignments_open_person`, `DROP INDEX uq_asset_assignments_open`];

/** What decorators cannot express: expression and partial indexes, and the rules that triggers hold. */
const up = [
  'CREATE UNIQUE INDEX uq_profiles_email ON profiles (lower(email))',
  'CREATE UNIQUE INDEX uq_people_email ON people (lower(email))',
  ...network,
  ...procurement,
];

const down = [...dropProcurement, ...dropNetwork, 'DROP INDEX uq_people_email', 'DROP INDEX uq_profiles_email'];

export class Rules1795219200001 implements MigrationInterface {
  name = 'Rules1795219200001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
