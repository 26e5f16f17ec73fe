-- "units 10 to 11 of the front", from half units.
CREATE OR REPLACE FUNCTION rack_units_text(units int4range, faces int4range) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN upper(units) - lower(units) <= 2 THEN 'unit ' || trim_scale(lower(units) / 2.0)
      ELSE 'units ' || trim_scale(lower(units) / 2.0) || ' to ' || trim_scale(upper(units) / 2.0 - 1) END
    || CASE WHEN upper(faces) - lower(faces) = 2 THEN ' of both faces' WHEN lower(faces) = 0 THEN ' of the front' ELSE ' of the rear' END
$$;
