-- What a change set does, in its order.
CREATE OR REPLACE FUNCTION approval_operations(change_set uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT jsonb_agg(jsonb_strip_nulls(to_jsonb(o) - '{id,created_at,updated_at,change_set_id,position,authors}'::text[]) ORDER BY o.position)
    FROM change_set_operations o WHERE o.change_set_id = change_set);
END
$$;
