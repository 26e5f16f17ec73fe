-- A licence does not shrink below its seats in use, and their number is not that of a request. The update has locked the licence, so
-- nobody takes a seat at the same time. No table is named: the detail names holders, and no key.
CREATE OR REPLACE FUNCTION keep_seats() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  used constant int := (SELECT count(*) FROM software_licence_seats WHERE software_licence_id = NEW.id);
  holders text;
BEGIN
  IF NEW.seats < used THEN
    SELECT string_agg(format('''%s''', name), ', ' ORDER BY created_at, id) || CASE WHEN used > 10 THEN ', …' ELSE '' END INTO holders FROM (
      SELECT s.id, s.created_at, coalesce(p.full_name, a.name, d.name) AS name FROM software_licence_seats s
        LEFT JOIN people p ON p.id = s.person_id LEFT JOIN assets a ON a.id = s.asset_id LEFT JOIN devices d ON d.id = s.device_id
        WHERE s.software_licence_id = NEW.id ORDER BY s.created_at, s.id LIMIT 10
    ) first_seats;
    RAISE EXCEPTION 'more seats of the licence are in use'
      USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_software_licences_seats', DETAIL = format('%s, of %s', used, holders);
  END IF;
  IF used > 0 AND NEW.assigned_seats IS DISTINCT FROM used THEN
    RAISE EXCEPTION 'the seats in use are counted'
      USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_software_licences_assigned_seats', DETAIL = format('there are %s', used);
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER software_licences_kept BEFORE UPDATE OF seats, assigned_seats ON software_licences
  FOR EACH ROW WHEN ((NEW.seats, NEW.assigned_seats) IS DISTINCT FROM (OLD.seats, OLD.assigned_seats)) EXECUTE FUNCTION keep_seats();
