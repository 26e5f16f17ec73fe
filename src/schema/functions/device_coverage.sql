-- The coverage of devices: their own, and that of their assets.
CREATE OR REPLACE FUNCTION device_coverage(on_day date)
RETURNS TABLE (device_id uuid, kind text, source text, source_id uuid, source_name text, vendor_id uuid, first_day date, last_day date, is_active boolean, is_draft boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.record_id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day, s.is_active, s.is_draft
  FROM coverage_spans(on_day) s WHERE s.resource = 'devices'
  UNION ALL
  SELECT d.id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day, s.is_active, s.is_draft
  FROM devices d JOIN coverage_spans(on_day) s ON s.record_id = d.asset_id WHERE s.resource = 'assets'
$$;
