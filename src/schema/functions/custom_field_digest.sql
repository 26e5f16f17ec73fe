-- A value of a custom field as the values of a unique one are compared: decimals as numbers, all others exactly. A text may be longer
-- than an index can hold.
CREATE OR REPLACE FUNCTION custom_field_digest(type text, value jsonb) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(convert_to(CASE WHEN type = 'decimal' THEN trim_scale((value #>> '{}')::numeric)::text ELSE value #>> '{}' END, 'UTF8'))
$$;
