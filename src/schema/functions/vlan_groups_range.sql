-- The range of a VLAN group does not exclude a VLAN of the group. The error names that VLAN as an index names a key that is taken.
CREATE OR REPLACE FUNCTION vlan_groups_range() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  excluded uuid;
BEGIN
  SELECT id INTO excluded FROM vlans WHERE vlan_group_id = NEW.id
    AND vid NOT BETWEEN coalesce(NEW.min_vid, 1) AND coalesce(NEW.max_vid, 4094) ORDER BY vid LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the range of the VLAN group excludes one of its VLANs'
      USING ERRCODE = 'unique_violation', TABLE = 'vlans', CONSTRAINT = 'uq_vlan_groups_range',
        DETAIL = format('Key (id)=(%s) already exists.', excluded);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER vlan_groups_range AFTER UPDATE OF min_vid, max_vid ON vlan_groups
  FOR EACH ROW WHEN ((OLD.min_vid, OLD.max_vid) IS DISTINCT FROM (NEW.min_vid, NEW.max_vid))
  EXECUTE FUNCTION vlan_groups_range();
