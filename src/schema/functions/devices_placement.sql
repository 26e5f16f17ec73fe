-- A device with a rack and a position takes units of the rack (rack_placements). What is read of a rack or a type is locked:
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
  EXECUTE FUNCTION devices_placement();
