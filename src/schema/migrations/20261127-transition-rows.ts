import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- A device with a rack and a position takes units of the rack (rack_placements). What is read of a rack or a type is locked:
-- a change of it at the same time waits, and then sees the placement.
CREATE OR REPLACE FUNCTION devices_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  types uuid[];
  outside text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(device_type_id) INTO ids, types
      FROM new_rows WHERE rack_id IS NOT NULL AND rack_position IS NOT NULL;
  ELSE
    -- The former type is locked too: a change of it at the same time places its devices. The rows are not joined: a kept plan expects one
    -- of each, and would compare each with all others.
    SELECT array_agg(DISTINCT id), array_agg(DISTINCT device_type_id) INTO ids, types FROM (
      (SELECT id, rack_id, rack_position, rack_face, device_type_id FROM old_rows
        EXCEPT SELECT id, rack_id, rack_position, rack_face, device_type_id FROM new_rows)
      UNION ALL
      (SELECT id, rack_id, rack_position, rack_face, device_type_id FROM new_rows
        EXCEPT SELECT id, rack_id, rack_position, rack_face, device_type_id FROM old_rows)
    ) changed WHERE rack_id IS NOT NULL;
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
$$;

CREATE OR REPLACE TRIGGER devices_placement_insert AFTER INSERT ON devices
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION devices_placement();

CREATE OR REPLACE TRIGGER devices_placement_update AFTER UPDATE ON devices
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION devices_placement();`,
  `-- The status of an asset follows its assignments.
CREATE OR REPLACE FUNCTION follow_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE assets SET status = 'in_use' FROM new_rows n
      WHERE assets.id = n.asset_id AND n.returned_at IS NULL AND assets.status IN ('in_stock', 'reserved');
  ELSE
    -- The rows are not joined: a kept plan expects one of each, and would compare each with all others.
    UPDATE assets SET status = 'in_stock' FROM (
      SELECT id, asset_id FROM new_rows WHERE returned_at IS NOT NULL
      EXCEPT SELECT id, asset_id FROM old_rows WHERE returned_at IS NOT NULL
    ) ended WHERE assets.id = ended.asset_id AND assets.status = 'in_use';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER asset_assignments_follow_insert AFTER INSERT ON asset_assignments
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_assignments();

CREATE OR REPLACE TRIGGER asset_assignments_follow_update AFTER UPDATE ON asset_assignments
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION follow_assignments();`,
];

const down = [
  `CREATE OR REPLACE FUNCTION public.devices_placement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
`,
  `CREATE OR REPLACE FUNCTION public.follow_assignments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE assets SET status = 'in_use' FROM new_rows n
      WHERE assets.id = n.asset_id AND n.returned_at IS NULL AND assets.status IN ('in_stock', 'reserved');
  ELSE
    UPDATE assets SET status = 'in_stock' FROM old_rows o JOIN new_rows n USING (id)
      WHERE assets.id = n.asset_id AND o.returned_at IS NULL AND n.returned_at IS NOT NULL AND assets.status = 'in_use';
  END IF;
  RETURN NULL;
END
$function$
`,
];

export class TransitionRows1795791632076 implements MigrationInterface {
  readonly name = 'TransitionRows1795791632076';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
