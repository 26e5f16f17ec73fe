-- What an open stocktake has found so far, from its scans and the assets of this moment. A pure function of both, so that it makes
-- no difference in which order different assets were scanned, or how often. Of an asset that was scanned at several places, or by its tag
-- and its serial number, the scan with the highest position counts.
CREATE OR REPLACE FUNCTION count_stocktake(counted uuid) RETURNS TABLE (
  kind text, expected boolean, asset_id uuid, name text, asset_tag text, serial_number text, status text, code text,
  candidates jsonb, recorded jsonb, seen jsonb, changed boolean
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  st stocktakes;
BEGIN
  SELECT * INTO st FROM stocktakes t WHERE t.id = counted;
  RETURN QUERY
  WITH RECURSIVE
  inside AS (
    SELECT l.id FROM locations l WHERE CASE WHEN st.location_id IS NULL THEN l.site_id = st.site_id ELSE l.id = st.location_id END
    UNION
    SELECT l.id FROM locations l JOIN inside i ON l.parent_id = i.id
  ),
  scans AS MATERIALIZED (
    SELECT s.code, s.position, coalesce(l.site_id, p.site_id) AS site_id, p.location_id
    FROM stocktake_scans s
      CROSS JOIN LATERAL (
        SELECT CASE WHEN isown THEN s.site_id ELSE st.site_id END AS site_id,
          CASE WHEN isown THEN s.location_id ELSE st.location_id END AS location_id
        FROM (SELECT s.site_id IS NOT NULL OR s.location_id IS NOT NULL AS isown) o
      ) p
      LEFT JOIN locations l ON l.id = p.location_id
    WHERE s.stocktake_id = counted
  ),
  -- A code is the tag of some assets and the serial number of others. An asset that has it as both is one.
  matches AS MATERIALIZED (
    SELECT s.code, a.id FROM scans s JOIN assets a ON a.asset_tag = s.code
    UNION
    SELECT s.code, a.id FROM scans s JOIN assets a ON a.serial_number = s.code
  ),
  behind AS MATERIALIZED (SELECT m.code, count(*) AS assets FROM matches m GROUP BY m.code),
  sightings AS MATERIALIZED (
    SELECT DISTINCT ON (m.id) m.id, s.code, s.site_id, s.location_id
    FROM behind b JOIN matches m ON m.code = b.code JOIN scans s ON s.code = b.code
    WHERE b.assets = 1 ORDER BY m.id, s.position DESC
  ),
  hazy AS MATERIALIZED (SELECT DISTINCT m.id FROM behind b JOIN matches m ON m.code = b.code WHERE b.assets > 1),
  -- The locations within each place where something was seen.
  under AS (
    SELECT DISTINCT s.location_id AS place, s.location_id AS id FROM sightings s WHERE s.location_id IS NOT NULL
    UNION
    SELECT u.place, l.id FROM under u JOIN locations l ON l.parent_id = u.id
  ),
  log AS MATERIALIZED (
    SELECT c.record_id, c.action, c.old_values FROM change_log c WHERE c.resource = 'assets' AND c.created_at > st.created_at
  ),
  touched AS MATERIALIZED (
    SELECT record_id AS id FROM log
    UNION
    SELECT g.asset_id FROM asset_assignments g WHERE g.assigned_at > st.created_at OR g.returned_at > st.created_at
  ),
  -- The codes of assets that were deleted meanwhile.
  gone AS MATERIALIZED (
    SELECT DISTINCT v.code FROM log d CROSS JOIN LATERAL (VALUES (d.old_values->>'asset_tag'), (d.old_values->>'serial_number')) v (code)
    WHERE d.action = 'delete'
  ),
  -- The first ten assets of each ambiguous code.
  named AS MATERIALIZED (
    SELECT r.code, bool_or(r.changed) AS changed,
      jsonb_agg(jsonb_build_object('resource', 'assets', 'id', r.id, 'name', r.name) ORDER BY r.rank) FILTER (WHERE r.rank <= 10) AS candidates
    FROM (
      SELECT m.code, a.id, a.name, t.id IS NOT NULL AS changed,
        row_number() OVER (PARTITION BY m.code ORDER BY a.name COLLATE "C", a.id) AS rank
      FROM behind b JOIN matches m ON m.code = b.code JOIN assets a ON a.id = m.id LEFT JOIN touched t ON t.id = m.id
      WHERE b.assets > 1
    ) r GROUP BY r.code
  ),
  judged AS MATERIALIZED (
    SELECT a.id, a.name, a.asset_tag, a.serial_number, a.status, a.location_id, coalesce(l.site_id, a.site_id) AS site_id,
      a.status NOT IN ('retired', 'disposed', 'lost')
        AND NOT EXISTS (SELECT FROM asset_assignments g WHERE g.asset_id = a.id AND g.returned_at IS NULL) AS present,
      st.category_id IS NULL OR coalesce(a.category_id = st.category_id, false) AS meant,
      CASE WHEN st.location_id IS NOT NULL THEN a.location_id IN (SELECT i.id FROM inside i)
        WHEN st.site_id IS NOT NULL THEN coalesce(l.site_id, a.site_id) = st.site_id OR a.location_id IN (SELECT i.id FROM inside i)
        ELSE true END IS TRUE AS here,
      s.id IS NOT NULL AS sighted, s.code, s.site_id AS seen_site_id, s.location_id AS seen_location_id,
      CASE WHEN s.location_id IS NOT NULL THEN (s.location_id, a.location_id) IN (SELECT u.place, u.id FROM under u)
        WHEN s.site_id IS NOT NULL THEN coalesce(l.site_id, a.site_id) = s.site_id ELSE true END IS TRUE AS home,
      h.id IS NOT NULL AS doubtful, t.id IS NOT NULL AS changed
    FROM assets a LEFT JOIN locations l ON l.id = a.location_id LEFT JOIN sightings s ON s.id = a.id
      LEFT JOIN hazy h ON h.id = a.id LEFT JOIN touched t ON t.id = a.id
  ),
  sorted AS (
    SELECT j.*, j.here AND j.meant AND j.present AS awaited,
      CASE
        WHEN NOT j.sighted THEN CASE WHEN j.here AND j.meant AND j.present THEN CASE WHEN j.doubtful THEN 'doubtful' ELSE 'missing' END END
        WHEN NOT (j.meant AND j.present) THEN 'unexpected'
        WHEN NOT j.home THEN 'misplaced'
        WHEN j.here THEN 'found'
        ELSE 'unexpected'
      END AS sort
    FROM judged j
  )
  SELECT o.sort, o.awaited, o.id, o.name::text, o.asset_tag::text, o.serial_number::text, o.status::text, o.code::text, '[]'::jsonb,
    place_json(o.site_id, o.location_id), CASE WHEN o.sighted THEN place_json(o.seen_site_id, o.seen_location_id) END, o.changed
  FROM sorted o WHERE o.sort IS NOT NULL
  UNION ALL
  SELECT CASE WHEN b.code IS NULL THEN 'unknown' ELSE 'ambiguous' END, false, NULL, NULL, NULL, NULL, NULL, s.code::text,
    coalesce(n.candidates, '[]'), NULL, place_json(s.site_id, s.location_id), coalesce(n.changed, g.code IS NOT NULL)
  FROM scans s LEFT JOIN behind b ON b.code = s.code LEFT JOIN named n ON n.code = s.code LEFT JOIN gone g ON g.code = s.code
  WHERE b.assets IS DISTINCT FROM 1;
END
$$;
