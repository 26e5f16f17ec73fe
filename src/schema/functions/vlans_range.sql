-- The vid of a VLAN is within the range of its group. The lock makes a VLAN wait for a change of that range, and for the
-- allocation of free vids, which holds the group.
CREATE OR REPLACE FUNCTION vlans_range() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lowest int;
  highest int;
BEGIN
  SELECT coalesce(min_vid, 1), coalesce(max_vid, 4094) INTO lowest, highest
    FROM vlan_groups WHERE id = NEW.vlan_group_id FOR SHARE;
  IF FOUND AND NEW.vid NOT BETWEEN lowest AND highest THEN
    RAISE EXCEPTION 'vid is outside the range of the VLAN group'
      USING ERRCODE = 'check_violation', TABLE = 'vlans', CONSTRAINT = 'ck_vlans_range';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER vlans_range BEFORE INSERT OR UPDATE OF vid, vlan_group_id ON vlans
  FOR EACH ROW WHEN (NEW.vlan_group_id IS NOT NULL) EXECUTE FUNCTION vlans_range();
