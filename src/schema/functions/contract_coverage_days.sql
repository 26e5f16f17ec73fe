-- A record is covered on days of the contract. The contract is locked, so that a change of its days at the same time waits, and then sees
-- the coverage.
CREATE OR REPLACE FUNCTION contract_coverage_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text;
BEGIN
  SELECT day_outside(NEW.start_date, NEW.end_date, c.start_date, c.end_date) INTO outside
    FROM contracts c WHERE c.id = NEW.contract_id FOR SHARE;
  IF outside IS NOT NULL THEN
    RAISE EXCEPTION 'a day is outside the contract'
      USING ERRCODE = 'check_violation', TABLE = 'contract_coverage', CONSTRAINT = 'ck_contract_coverage_days', COLUMN = outside;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER contract_coverage_days BEFORE INSERT OR UPDATE OF contract_id, start_date, end_date ON contract_coverage
  FOR EACH ROW EXECUTE FUNCTION contract_coverage_days();
