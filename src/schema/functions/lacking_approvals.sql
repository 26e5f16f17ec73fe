-- Why a record lacks approvals, in words; null if it has enough.
CREATE OR REPLACE FUNCTION lacking_approvals(needed int, given int, least_role text, rejected_by text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN rejected_by IS NOT NULL THEN format('%s has rejected it', rejected_by)
    WHEN given < needed THEN format('%s of %s %s of %s %s lacking', needed - given, needed, CASE needed WHEN 1 THEN 'approval' ELSE 'approvals' END,
      CASE least_role WHEN 'admin' THEN 'admin' ELSE least_role || ' or above' END, CASE needed - given WHEN 1 THEN 'is' ELSE 'are' END) END
$$;
