-- The areas that an approver of a record needs: that of its table, which is an argument of log_truncate; for a change set those of what it changes.
CREATE OR REPLACE FUNCTION approval_areas(records text, record_id uuid) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF records = 'change_sets' THEN
    RETURN ARRAY(SELECT DISTINCT unnest(approval_areas(replace(o.resource, '-', '_'), o.record_id)) FROM change_set_operations o
      WHERE o.change_set_id = approval_areas.record_id);
  END IF;
  RETURN (SELECT array_remove(ARRAY[split_part(encode(t.tgargs, 'escape'), '\000', 1)], '') FROM pg_trigger t
    WHERE t.tgrelid = to_regclass(records) AND t.tgname = records || '_truncate');
END
$$;
