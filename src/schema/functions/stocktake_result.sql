-- The result of a stocktake: as it was when the stocktake was closed, or so far.
CREATE OR REPLACE FUNCTION stocktake_result(counted uuid) RETURNS TABLE (
  kind text, expected boolean, asset_id uuid, name text, asset_tag text, serial_number text, status text, code text,
  candidates jsonb, recorded jsonb, seen jsonb, changed boolean
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF EXISTS (SELECT FROM stocktakes t WHERE t.id = counted AND t.status = 'closed') THEN
    RETURN QUERY SELECT e.kind::text, e.expected, e.asset_id, e.name::text, e.asset_tag::text, e.serial_number::text, e.status::text,
      e.code::text, e.candidates, e.recorded, e.seen, e.changed FROM stocktake_entries e WHERE e.stocktake_id = counted;
  ELSE
    RETURN QUERY SELECT * FROM count_stocktake(counted);
  END IF;
END
$$;
