-- While seats of a licence are in use, assigned_seats is their number, and it is never more than seats. The licences are locked, so that
-- requests for seats of one licence take turns; the number is counted by a statement that begins after that.
CREATE OR REPLACE FUNCTION count_seats() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  licences uuid[];
  licence record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT software_licence_id) INTO licences FROM new_rows;
  ELSE
    SELECT array_agg(DISTINCT software_licence_id) INTO licences FROM old_rows;
  END IF;
  PERFORM 1 FROM software_licences WHERE id = ANY (licences) ORDER BY id FOR NO KEY UPDATE;
  FOR licence IN
    SELECT l.id, l.seats, (SELECT count(*) FROM software_licence_seats s WHERE s.software_licence_id = l.id)::int AS used
    FROM software_licences l WHERE l.id = ANY (licences) ORDER BY l.id
  LOOP
    IF TG_OP = 'INSERT' AND licence.used > licence.seats THEN
      RAISE EXCEPTION 'all seats of the licence are in use'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_software_licence_seats_free',
          DETAIL = format('the licence has %s', licence.seats);
    END IF;
    UPDATE software_licences SET assigned_seats = licence.used
      WHERE id = licence.id AND assigned_seats IS DISTINCT FROM licence.used;
  END LOOP;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER software_licence_seats_count_insert AFTER INSERT ON software_licence_seats
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_seats();

CREATE OR REPLACE TRIGGER software_licence_seats_count_delete AFTER DELETE ON software_licence_seats
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_seats();
