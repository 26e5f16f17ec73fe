-- What covers one record. A device and its asset are covered with each other: `via` is the resource, and `via_id` the id, of the other one if that
-- is what is covered, and null otherwise. Without OFFSET the coverage of all records would be read, so that of many devices is read by
-- device_coverage instead.
CREATE OR REPLACE FUNCTION what_covers(of_resource text, of_id uuid, on_day date)
RETURNS TABLE (via text, via_id uuid, kind text, source text, source_id uuid, source_name text, vendor_id uuid, first_day date, last_day date, is_active boolean, is_draft boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT r.via, r.via_id, s.kind, s.source, s.source_id, s.source_name, s.vendor_id, s.first_day, s.last_day, s.is_active, s.is_draft
  FROM (
    SELECT of_resource, of_id, NULL::text, NULL::uuid
    UNION ALL SELECT 'assets', d.asset_id, 'assets', d.asset_id FROM devices d WHERE of_resource = 'devices' AND d.id = of_id AND d.asset_id IS NOT NULL
    UNION ALL SELECT 'devices', d.id, 'devices', d.id FROM devices d WHERE of_resource = 'assets' AND d.asset_id = of_id
  ) r (resource, id, via, via_id)
    CROSS JOIN LATERAL (SELECT * FROM coverage_spans(on_day) s WHERE s.resource = r.resource AND s.record_id = r.id OFFSET 0) s
$$;
