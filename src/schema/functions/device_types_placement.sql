-- A type that grows or becomes deeper must not make its devices overlap others or leave their racks.
CREATE OR REPLACE FUNCTION device_types_placement() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;

CREATE OR REPLACE TRIGGER device_types_placement AFTER UPDATE OF u_height, is_full_depth ON device_types
  FOR EACH ROW WHEN ((NEW.u_height, NEW.is_full_depth) IS DISTINCT FROM (OLD.u_height, OLD.is_full_depth))
  EXECUTE FUNCTION device_types_placement();
