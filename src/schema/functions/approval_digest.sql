-- The digest that an approval of a record names, and that the record has as long as nobody changes what the approver saw.
CREATE OR REPLACE FUNCTION approval_digest(records text, record jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(approval_content(records, record)::text, 'UTF8')), 'hex')
$$;
