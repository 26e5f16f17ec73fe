-- Fields that are set when a record is created and never changed. The argument names the rule.
CREATE OR REPLACE FUNCTION keep_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% cannot be changed', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_ARGV[0];
END
$$;

CREATE OR REPLACE TRIGGER circuit_terminations_fixed BEFORE UPDATE OF side ON circuit_terminations
  FOR EACH ROW WHEN (NEW.side <> OLD.side) EXECUTE FUNCTION keep_fixed('ck_circuit_terminations_side_fixed');

CREATE OR REPLACE TRIGGER virtual_machine_addresses_fixed BEFORE UPDATE OF ip_address_id ON virtual_machine_addresses
  FOR EACH ROW WHEN (NEW.ip_address_id <> OLD.ip_address_id)
  EXECUTE FUNCTION keep_fixed('ck_virtual_machine_addresses_ip_address_id_fixed');
