-- A text with the numbers in it filled up with zeros, so that Ethernet1/2 comes before Ethernet1/10. Numbers of more than
-- twelve digits are compared as texts.
CREATE OR REPLACE FUNCTION natural_order(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(name, '([0-9]+)', '000000000000\1', 'g'), '0*([0-9]{12,})', '\1', 'g')
$$;
