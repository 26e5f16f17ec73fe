-- The same in words: where each leads to, who may make it, and what it needs; of many the first ten, and the number of the others. Null if
-- there are none.
CREATE OR REPLACE FUNCTION open_moves(of_resource text, of_field text, value text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(move, ', ' ORDER BY place) FILTER (WHERE place <= 10)
    || CASE WHEN count(*) > 10 THEN format(' and %s %s', count(*) - 10, CASE count(*) WHEN 11 THEN 'other' ELSE 'others' END) ELSE '' END
  FROM (
    SELECT row_number() OVER (ORDER BY t.to_value COLLATE "C") AS place,
      format('''%s'' (%s%s)', t.to_value, CASE t.role WHEN 'admin' THEN 'admin' ELSE t.role || ' or above' END,
        CASE WHEN t.approvals > 0 THEN format(', with %s %s of %s', t.approvals, CASE t.approvals WHEN 1 THEN 'approval' ELSE 'approvals' END,
          CASE t.approver_role WHEN 'admin' THEN 'admin' ELSE t.approver_role || ' or above' END) ELSE '' END) AS move
    FROM open_transitions(of_resource, of_field, value) t
  ) moves
$$;
