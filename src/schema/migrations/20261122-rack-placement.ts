import { SqlMigration } from './sql-migration.js';

/*
 * A device with a rack and a position takes units of the rack. No two devices take the same unit on the same face, and no
 * device is outside its rack. `rack_placements` holds what each device takes: the height and the depth are those of its
 * type, so that no constraint on `devices` could compare them. Triggers on devices, device types and racks keep the table.
 *
 * - Units are counted in halves: `units` of a device of 2 units at position 10 is [20,24). `faces` is [0,1) for the front,
 *   [1,2) for the rear and [0,2) for both. A device without height takes nothing and has no row.
 * - Rows of the same `cluster` do not exclude each other. A device is a cluster of its own. Devices that overlapped before
 *   this migration share the id of their rack, until what one of them takes changes to something that it did not take.
 * - What a trigger reads of a rack or a type is locked: a change of it at the same time waits, and then sees the placement.
 */
const table = [
  'CREATE EXTENSION IF NOT EXISTS btree_gist',
  `CREATE TABLE rack_placements (
    device_id uuid NOT NULL,
    rack_id uuid NOT NULL,
    faces int4range NOT NULL,
    units int4range NOT NULL,
    cluster uuid NOT NULL,
    CONSTRAINT pk_rack_placements PRIMARY KEY (device_id),
    CONSTRAINT fk_rack_placements_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE
  )`,
];

const exclusion = `ALTER TABLE rack_placements ADD CONSTRAINT ex_rack_placements
  EXCLUDE USING gist (rack_id WITH =, faces WITH &&, units WITH &&, cluster WITH <>)`;

/** What devices take of their racks. */
const TAKEN = `
  SELECT d.id AS device_id, d.rack_id,
    CASE WHEN t.is_full_depth THEN int4range(0, 2) WHEN d.rack_face = 'rear' THEN int4range(1, 2) ELSE int4range(0, 1) END AS faces,
    int4range((d.rack_position * 2)::int, ((d.rack_position + t.u_height) * 2)::int) AS units
  FROM devices d JOIN device_types t ON t.id = d.device_type_id
  WHERE d.rack_id IS NOT NULL AND d.rack_position IS NOT NULL AND t.u_height > 0`;

const functions = [
  // "units 10 to 11 of the front": half units as decimals.
  `CREATE FUNCTION rack_units_text(units int4range, faces int4range) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN upper(units) - lower(units) <= 2 THEN 'unit ' || trim_scale(lower(units) / 2.0)
        ELSE 'units ' || trim_scale(lower(units) / 2.0) || ' to ' || trim_scale(upper(units) / 2.0 - 1) END
      || CASE WHEN upper(faces) - lower(faces) = 2 THEN ' of both faces' WHEN lower(faces) = 0 THEN ' of the front' ELSE ' of the rear' END
  $$`,
  // Works out anew what devices take. The name of the rule says which kind of write breaks it.
  `CREATE FUNCTION place_devices(ids uuid[], rule text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before rack_placements[];
  placed uuid[];
  refused record;
BEGIN
  before := ARRAY(SELECT p FROM rack_placements p WHERE p.device_id = ANY(ids));
  IF before <> '{}' THEN DELETE FROM rack_placements WHERE device_id = ANY(ids); END IF;
  WITH inserted AS (
    INSERT INTO rack_placements
    SELECT taken.*, CASE WHEN b.rack_id = taken.rack_id AND b.faces @> taken.faces AND b.units @> taken.units THEN b.cluster ELSE taken.device_id END
    FROM (${TAKEN} AND d.id = ANY(ids)) taken LEFT JOIN unnest(before) b USING (device_id)
    ORDER BY taken.rack_id, taken.units
    ON CONFLICT DO NOTHING RETURNING device_id
  )
  SELECT coalesce(array_agg(device_id), '{}') INTO placed FROM inserted;
  SELECT taken.*, d.name INTO refused
    FROM (${TAKEN} AND d.id = ANY(ids) AND d.id <> ALL(placed)) taken JOIN devices d ON d.id = taken.device_id
    ORDER BY taken.rack_id, taken.units LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'devices overlap in a rack' USING ERRCODE = 'exclusion_violation', CONSTRAINT = rule, DETAIL = (
      SELECT format('%s''%s'', which takes %s',
        CASE WHEN rule = 'ex_devices_rack_position' THEN '' ELSE format('''%s'' overlap ', refused.name) END,
        coalesce(d.name, 'another device'), rack_units_text(p.units, p.faces))
      FROM rack_placements p LEFT JOIN devices d ON d.id = p.device_id
      WHERE p.rack_id = refused.rack_id AND p.faces && refused.faces AND p.units && refused.units
      ORDER BY p.units LIMIT 1);
  END IF;
END
$$`,
  // The first device, of some, that is outside its rack, as text; null if there is none.
  `CREATE FUNCTION device_outside_rack(ids uuid[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN r.units IS NULL THEN format('position %s: units are counted from 1', d.rack_position)
      WHEN coalesce(t.u_height, 0) > 0 THEN format('''%s'' with a height of %s at position %s, while rack ''%s'' has units 1 to %s', d.name, t.u_height, d.rack_position, r.name, r.units)
      ELSE format('''%s'' at position %s, while rack ''%s'' has units 1 to %s', d.name, d.rack_position, r.name, r.units) END
    FROM devices d JOIN racks r ON r.id = d.rack_id LEFT JOIN device_types t ON t.id = d.device_type_id
    WHERE d.id = ANY(ids) AND (
      d.rack_position < 1 OR d.rack_position >= r.units + 1 OR d.rack_position + t.u_height > r.units + 1
    )
    ORDER BY d.name, d.id LIMIT 1
  $$`,
  `CREATE FUNCTION devices_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  types uuid[];
  outside text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(device_type_id) INTO ids, types
      FROM new_rows WHERE rack_id IS NOT NULL AND rack_position IS NOT NULL;
  ELSE
    -- The former type is locked too: a change of it at the same time places its devices.
    SELECT array_agg(id), array_agg(o.device_type_id) || array_agg(n.device_type_id) INTO ids, types
      FROM old_rows o JOIN new_rows n USING (id)
      WHERE (o.rack_id, o.rack_position, o.rack_face, o.device_type_id) IS DISTINCT FROM (n.rack_id, n.rack_position, n.rack_face, n.device_type_id)
        AND (o.rack_id IS NOT NULL OR n.rack_id IS NOT NULL);
  END IF;
  IF ids IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM racks WHERE id IN (SELECT rack_id FROM devices WHERE id = ANY(ids)) ORDER BY id FOR SHARE;
  PERFORM FROM device_types WHERE id = ANY(types) ORDER BY id FOR SHARE;
  outside := device_outside_rack(ids);
  IF outside IS NOT NULL THEN
    RAISE EXCEPTION 'a device is outside its rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_rack_position_units', DETAIL = outside;
  END IF;
  PERFORM place_devices(ids, 'ex_devices_rack_position');
  RETURN NULL;
END
$$`,
  `CREATE FUNCTION device_types_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids constant uuid[] := ARRAY(
    SELECT id FROM devices WHERE device_type_id = NEW.id AND rack_id IS NOT NULL AND rack_position IS NOT NULL ORDER BY id FOR KEY SHARE);
  rule constant text := CASE WHEN NEW.u_height IS DISTINCT FROM OLD.u_height THEN 'ex_device_types_u_height' ELSE 'ex_device_types_is_full_depth' END;
  outside text;
BEGIN
  IF ids = '{}' THEN RETURN NULL; END IF;
  PERFORM FROM racks WHERE id IN (SELECT rack_id FROM devices WHERE id = ANY(ids)) ORDER BY id FOR SHARE;
  IF coalesce(NEW.u_height, 0) > coalesce(OLD.u_height, 0) THEN
    outside := device_outside_rack(ids);
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside its rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_device_types_u_height_units', DETAIL = outside;
    END IF;
  END IF;
  PERFORM place_devices(ids, rule);
  RETURN NULL;
END
$$`,
  // A rack that moves takes its devices along.
  `CREATE FUNCTION racks_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text;
BEGIN
  IF NEW.units < OLD.units OR (OLD.units IS NULL AND NEW.units IS NOT NULL) THEN
    outside := device_outside_rack(ARRAY(SELECT id FROM devices WHERE rack_id = NEW.id AND rack_position IS NOT NULL));
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside the rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_racks_units', DETAIL = outside;
    END IF;
  END IF;
  IF (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id) THEN
    UPDATE devices SET
      site_id = CASE WHEN NEW.site_id IS NOT NULL OR site_id = OLD.site_id THEN NEW.site_id ELSE site_id END,
      location_id = CASE WHEN NEW.location_id IS NOT NULL OR location_id = OLD.location_id THEN NEW.location_id ELSE location_id END
    WHERE rack_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$`,
  // A device is where its rack is. A rack that does not know its site or location contradicts nothing, and neither does a
  // device that is given none: the foreign keys clear both, in any order, when a site or a location is deleted.
  `CREATE FUNCTION devices_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved constant boolean := TG_OP = 'UPDATE' AND NEW.rack_id IS DISTINCT FROM OLD.rack_id;
  rack record;
BEGIN
  SELECT r.site_id, r.location_id, r.name INTO rack FROM racks r WHERE r.id = NEW.rack_id FOR SHARE;
  -- The foreign key refuses a rack that does not exist.
  IF NOT FOUND THEN RETURN NEW; END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.site_id := coalesce(NEW.site_id, rack.site_id);
    NEW.location_id := coalesce(NEW.location_id, rack.location_id);
  ELSIF moved THEN
    IF NEW.location_id IS NOT DISTINCT FROM OLD.location_id AND coalesce(rack.site_id, rack.location_id) IS NOT NULL THEN
      NEW.location_id := rack.location_id;
    END IF;
    IF NEW.site_id IS NOT DISTINCT FROM OLD.site_id THEN NEW.site_id := coalesce(rack.site_id, NEW.site_id); END IF;
  END IF;
  IF NEW.site_id <> rack.site_id THEN
    RAISE EXCEPTION 'site_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_site_id_rack';
  END IF;
  IF NEW.location_id <> rack.location_id THEN
    RAISE EXCEPTION 'location_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_location_id_rack';
  END IF;
  RETURN NEW;
END
$$`,
];

const triggers = [
  `CREATE TRIGGER devices_home_insert BEFORE INSERT ON devices
    FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL) EXECUTE FUNCTION devices_home()`,
  `CREATE TRIGGER devices_home_update BEFORE UPDATE OF rack_id, site_id, location_id ON devices
    FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL AND (NEW.rack_id, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.rack_id, OLD.site_id, OLD.location_id))
    EXECUTE FUNCTION devices_home()`,
  `CREATE TRIGGER devices_placement_insert AFTER INSERT ON devices REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION devices_placement()`,
  `CREATE TRIGGER devices_placement_update AFTER UPDATE ON devices REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION devices_placement()`,
  `CREATE TRIGGER device_types_placement AFTER UPDATE OF u_height, is_full_depth ON device_types
    FOR EACH ROW WHEN ((NEW.u_height, NEW.is_full_depth) IS DISTINCT FROM (OLD.u_height, OLD.is_full_depth))
    EXECUTE FUNCTION device_types_placement()`,
  `CREATE TRIGGER racks_placement AFTER UPDATE OF units, site_id, location_id ON racks
    FOR EACH ROW WHEN ((NEW.units, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.units, OLD.site_id, OLD.location_id))
    EXECUTE FUNCTION racks_placement()`,
];

// What devices take already. Those that overlap are of one cluster.
const fill = `INSERT INTO rack_placements
  WITH taken AS MATERIALIZED (${TAKEN})
  SELECT taken.*, CASE WHEN EXISTS (
      SELECT FROM taken other
      WHERE other.rack_id = taken.rack_id AND other.device_id <> taken.device_id AND other.faces && taken.faces AND other.units && taken.units
    ) THEN taken.rack_id ELSE taken.device_id END
  FROM taken`;

const up = [...table, ...functions, fill, exclusion, ...triggers];

const down = [
  'DROP TRIGGER racks_placement ON racks',
  'DROP TRIGGER device_types_placement ON device_types',
  'DROP TRIGGER devices_placement_update ON devices',
  'DROP TRIGGER devices_placement_insert ON devices',
  'DROP TRIGGER devices_home_update ON devices',
  'DROP TRIGGER devices_home_insert ON devices',
  'DROP FUNCTION devices_home()',
  'DROP FUNCTION racks_placement()',
  'DROP FUNCTION device_types_placement()',
  'DROP FUNCTION devices_placement()',
  'DROP FUNCTION device_outside_rack(uuid[])',
  'DROP FUNCTION place_devices(uuid[], text)',
  'DROP FUNCTION rack_units_text(int4range, int4range)',
  'DROP TABLE rack_placements',
];

export class RackPlacement1795345000000 extends SqlMigration {
  readonly name = 'RackPlacement1795345000000';
  protected readonly statements = { up, down };
}
