-- Holds the transitions of a field, whatever writes the record. The arguments are the resource of the table and the field. The triggers
-- exist only where a transition is defined (transitions_held.sql).
--
-- Who defines a transition takes the lock of the table alone. A write that shares it sees every transition that is committed, because
-- each statement has a snapshot of its own. A transaction that has one snapshot for all of them could not know.
CREATE OR REPLACE FUNCTION hold_transitions() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  owner constant text := TG_ARGV[0];
  of_field constant text := TG_ARGV[1];
  -- The database itself and SQL by hand act as an administrator.
  by_role constant text := coalesce(nullif(current_setting('inventory.by', true), '')::jsonb->>'role', 'admin');
  was constant text := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(OLD)->>of_field END;
  became constant text := to_jsonb(NEW)->>of_field;
  quoted constant text := '''' || became || '''';
  start constant text := CASE WHEN was IS NULL THEN 'a new record' ELSE '''' || was || '''' END;
  moves text;
  move transitions;
  fault text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('transitions'), hashtext(TG_TABLE_NAME));
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'Records with transitions are written in transactions that read what is committed'
      USING ERRCODE = 'feature_not_supported', HINT = 'BEGIN ISOLATION LEVEL READ COMMITTED';
  END IF;
  -- Purchase orders have rules of their own, to which a transition adds one.
  IF owner = 'purchase-orders' AND NOT (TG_OP = 'UPDATE' AND was = 'draft' AND became = 'ordered') THEN
    IF TG_OP = 'INSERT' AND became <> 'draft' AND current_setting('inventory.restores', true) IS DISTINCT FROM 'yes'
      AND EXISTS (SELECT FROM transitions t WHERE t.resource = owner AND t.approvals > 0) THEN
      fault := format('must not be %s in a new order: it may be ''draft'', and %s then', quoted, open_moves(owner, of_field, 'draft'));
    END IF;
  ELSIF TG_OP = 'INSERT' AND became IS NULL THEN
    RETURN NEW;
  ELSIF TG_OP = 'INSERT' AND current_setting('inventory.restores', true) = 'yes' THEN
    IF NOT EXISTS (SELECT FROM transitions t WHERE t.resource = owner AND t.field = of_field AND became IN (t.from_value, t.to_value)) THEN
      fault := format('must not be %s: no transition names it', quoted);
    END IF;
  ELSE
    SELECT t.* INTO move FROM open_transitions(owner, of_field, was) t WHERE t.to_value = became;
    IF NOT FOUND OR role_rank(by_role) < role_rank(move.role) THEN
      moves := coalesce('it may be ' || open_moves(owner, of_field, was), 'no move is open');
      fault := CASE WHEN became IS NULL THEN format('must not be cleared: from %s %s', start, moves)
        WHEN TG_OP = 'INSERT' THEN format('must not be %s in a new record%s: %s', quoted, CASE WHEN move.id IS NOT NULL THEN ' with the role ' || by_role ELSE '' END, moves)
        ELSE format('must not change from %s to %s%s: from %s %s', coalesce('''' || was || '''', 'no value'), quoted,
          CASE WHEN move.id IS NOT NULL THEN ' with the role ' || by_role ELSE '' END, coalesce('''' || was || '''', 'no value'), moves) END;
    END IF;
  END IF;
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION '% %', of_field, fault USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME, COLUMN = of_field,
      CONSTRAINT = 'ck_transitions', DETAIL = fault;
  END IF;
  IF move.approvals > 0 THEN
    PERFORM need_approvals(TG_TABLE_NAME, of_field, move, to_jsonb(OLD), to_jsonb(NEW));
  END IF;
  RETURN NEW;
END
$$;
