-- Whose approval of a record never counts: who created it, who last changed what an approval is about, by the log, and who wrote an
-- operation of it. What belonged to it and was deleted or moved away since names it as owner, and is looked for from the last other
-- change on.
CREATE OR REPLACE FUNCTION approval_authors(records text, record_id uuid) RETURNS TABLE (profile_id uuid, email text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  resource constant text := replace(records, '_', '-');
  owner constant text := rtrim(records, 's') || '_id';
  parts constant text := CASE WHEN records = 'purchase_orders' THEN 'purchase_order_items'
    WHEN records IN ('change_requests', 'incidents', 'known_issues', 'maintenance_windows', 'runbooks') THEN rtrim(records, 's') || '_targets' END;
  planned constant boolean := records = 'change_requests' AND to_regclass('change_sets') IS NOT NULL;
  resources constant text[] := array_remove(ARRAY[resource, replace(parts, '_', '-'), CASE WHEN planned THEN 'change-sets' END], NULL);
  ids uuid[] := ARRAY[record_id];
  sets uuid[] := CASE WHEN records = 'change_sets' THEN ARRAY[record_id] ELSE '{}' END;
  last change_log;
  later change_log;
BEGIN
  IF parts IS NOT NULL THEN
    EXECUTE format('SELECT $2 || array_agg(id) FROM %I WHERE %I = $1', parts, owner) INTO ids USING record_id, ids;
  END IF;
  IF planned THEN
    SELECT coalesce(array_agg(s.id), '{}') INTO sets FROM change_sets s WHERE s.change_request_id = approval_authors.record_id;
    ids := ids || sets;
  END IF;
  RETURN QUERY SELECT c.actor_id, c.actor::text FROM change_log c
    WHERE c.record_id = approval_authors.record_id AND c.resource = resources[1] AND c.action = 'create';
  IF sets <> '{}' THEN
    RETURN QUERY SELECT DISTINCT author, NULL::text FROM change_set_operations o, unnest(o.authors) author WHERE o.change_set_id = ANY(sets);
  END IF;

  SELECT c.* INTO last FROM change_log c
    WHERE c.record_id = ANY(ids) AND c.resource = ANY(resources) AND c.action <> 'delete' AND (c.action = 'create'
      OR c.new_values - '{status,updated_at,resolved_at,quantity_received,merged_by,merged_at}'::text[] <> '{}')
    ORDER BY c.created_at DESC, c.id DESC LIMIT 1;
  IF cardinality(resources) > 1 THEN
    SELECT c.* INTO later FROM change_log c
      WHERE c.created_at >= coalesce(last.created_at, '-infinity') AND c.resource = ANY(resources[2:]) AND c.action <> 'create'
        AND c.old_values->>owner = approval_authors.record_id::text
      ORDER BY c.created_at DESC, c.id DESC LIMIT 1;
  END IF;
  IF later.id IS NOT NULL AND (last.id IS NULL OR (later.created_at, later.id) > (last.created_at, last.id)) THEN
    last := later;
  END IF;
  IF last.id IS NOT NULL THEN
    RETURN QUERY SELECT last.actor_id, last.actor::text;
  END IF;
END
$$;
