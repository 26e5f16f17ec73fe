-- Refuses a move that lacks approvals. The log entry of the move names those that count (logged_update.sql). The move is judged by the
-- record as it leaves it, but for the value that moves.
CREATE OR REPLACE FUNCTION need_approvals(records text, field text, move transitions, before jsonb, after jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  judged constant jsonb := after || jsonb_build_object(field, before->field);
  digest constant text := approval_digest(records, judged);
  -- Who changes more than the value is the last who changed the record.
  mover constant uuid := CASE WHEN approval_content(records, before) <> approval_content(records, judged)
    THEN nullif(current_setting('inventory.by', true), '')::jsonb->>'profileId' END;
  ids uuid[];
  given int;
  lack text;
BEGIN
  SELECT array_agg(a.id), count(DISTINCT a.who) INTO ids, given FROM counting_approvals(records, (after->>'id')::uuid, digest, move.approver_role, mover) a;
  lack := lacking_approvals(move.approvals, given, move.approver_role, rejecting_approver(records, (after->>'id')::uuid, digest));
  IF lack IS NOT NULL THEN
    lack := format('must not change from ''%s'' to ''%s'' yet: %s', before->>field, after->>field, lack);
    RAISE EXCEPTION '% %', field, lack USING ERRCODE = 'integrity_constraint_violation', TABLE = records, COLUMN = field,
      CONSTRAINT = 'ck_approvals', DETAIL = lack;
  END IF;
  PERFORM set_config('inventory.approvals', jsonb_build_object('record', after->'id', 'ids', to_jsonb(ids))::text, true);
END
$$;
