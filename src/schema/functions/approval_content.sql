-- What an approval of a record is about: the record without its status and times, and what belongs to it. `record` is a row as JSON.
CREATE OR REPLACE FUNCTION approval_content(records text, record jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE
  record_id constant uuid := record->>'id';
  parts constant text[] := '{id,created_at,updated_at,quantity_received}';
  content jsonb := jsonb_strip_nulls(record - '{status,created_at,updated_at,resolved_at,custom_fields}'::text[]);
  targets jsonb;
BEGIN
  IF jsonb_typeof(record->'custom_fields') = 'object' THEN
    content := content || jsonb_strip_nulls(jsonb_build_object('custom_fields', live_custom_fields(replace(records, '_', '-'), record->'custom_fields')));
  END IF;
  IF records = 'purchase_orders' THEN
    content := content || jsonb_build_object('items', (
      SELECT jsonb_agg(line ORDER BY line) FROM purchase_order_items i, jsonb_strip_nulls(to_jsonb(i) - parts) line WHERE i.purchase_order_id = record_id));
  ELSIF records IN ('change_requests', 'incidents', 'known_issues', 'maintenance_windows', 'runbooks') THEN
    EXECUTE format('SELECT jsonb_agg(target ORDER BY target) FROM %I t, jsonb_strip_nulls(to_jsonb(t) - $2) target WHERE t.%I = $1',
      rtrim(records, 's') || '_targets', rtrim(records, 's') || '_id') INTO targets USING record_id, parts;
    content := content || jsonb_build_object('targets', targets);
  END IF;
  -- Of the change sets of a change request, the status does not count.
  IF records = 'change_requests' AND to_regclass('change_sets') IS NOT NULL THEN
    content := content || jsonb_strip_nulls(jsonb_build_object('change_sets', (
      SELECT jsonb_agg(planned ORDER BY planned) FROM change_sets s, jsonb_build_object('name', s.name, 'operations', approval_operations(s.id)) planned
      WHERE s.change_request_id = record_id)));
  ELSIF records = 'change_sets' THEN
    content := content - '{merged_by,merged_at,planned_for_id}'::text[] || jsonb_build_object('operations', approval_operations(record_id));
  END IF;
  RETURN content;
END
$$;
