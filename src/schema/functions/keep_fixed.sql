-- Fields that are set when a record is created and never changed. The argument names the rule.
CREATE OR REPLACE FUNCTION keep_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% cannot be changed', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_ARGV[0];
END
$$;

CREATE OR REPLACE TRIGGER cables_fixed_a_resource BEFORE UPDATE OF a_resource ON cables
  FOR EACH ROW WHEN (NEW.a_resource <> OLD.a_resource) EXECUTE FUNCTION keep_fixed('ck_cables_a_resource_fixed');

CREATE OR REPLACE TRIGGER cables_fixed_a_id BEFORE UPDATE OF a_id ON cables
  FOR EACH ROW WHEN (NEW.a_id <> OLD.a_id) EXECUTE FUNCTION keep_fixed('ck_cables_a_id_fixed');

CREATE OR REPLACE TRIGGER cables_fixed_b_resource BEFORE UPDATE OF b_resource ON cables
  FOR EACH ROW WHEN (NEW.b_resource <> OLD.b_resource) EXECUTE FUNCTION keep_fixed('ck_cables_b_resource_fixed');

CREATE OR REPLACE TRIGGER cables_fixed_b_id BEFORE UPDATE OF b_id ON cables
  FOR EACH ROW WHEN (NEW.b_id <> OLD.b_id) EXECUTE FUNCTION keep_fixed('ck_cables_b_id_fixed');

CREATE OR REPLACE TRIGGER circuit_terminations_fixed BEFORE UPDATE OF side ON circuit_terminations
  FOR EACH ROW WHEN (NEW.side <> OLD.side) EXECUTE FUNCTION keep_fixed('ck_circuit_terminations_side_fixed');

CREATE OR REPLACE TRIGGER circuit_terminations_fixed_owner BEFORE UPDATE OF circuit_id ON circuit_terminations
  FOR EACH ROW WHEN (NEW.circuit_id <> OLD.circuit_id) EXECUTE FUNCTION keep_fixed('ck_circuit_terminations_circuit_id_fixed');

CREATE OR REPLACE TRIGGER device_ports_fixed BEFORE UPDATE OF kind ON device_ports
  FOR EACH ROW WHEN (NEW.kind <> OLD.kind) EXECUTE FUNCTION keep_fixed('ck_device_ports_kind_fixed');

CREATE OR REPLACE TRIGGER device_ports_fixed_owner BEFORE UPDATE OF device_id ON device_ports
  FOR EACH ROW WHEN (NEW.device_id <> OLD.device_id) EXECUTE FUNCTION keep_fixed('ck_device_ports_device_id_fixed');

CREATE OR REPLACE TRIGGER device_port_vlans_fixed BEFORE UPDATE OF port_id ON device_port_vlans
  FOR EACH ROW WHEN (NEW.port_id <> OLD.port_id) EXECUTE FUNCTION keep_fixed('ck_device_port_vlans_port_id_fixed');

CREATE OR REPLACE TRIGGER device_type_ports_fixed BEFORE UPDATE OF kind ON device_type_ports
  FOR EACH ROW WHEN (NEW.kind <> OLD.kind) EXECUTE FUNCTION keep_fixed('ck_device_type_ports_kind_fixed');

CREATE OR REPLACE TRIGGER device_type_ports_fixed_owner BEFORE UPDATE OF device_type_id ON device_type_ports
  FOR EACH ROW WHEN (NEW.device_type_id <> OLD.device_type_id)
  EXECUTE FUNCTION keep_fixed('ck_device_type_ports_device_type_id_fixed');

CREATE OR REPLACE TRIGGER virtual_machine_interfaces_fixed BEFORE UPDATE OF virtual_machine_id ON virtual_machine_interfaces
  FOR EACH ROW WHEN (NEW.virtual_machine_id <> OLD.virtual_machine_id)
  EXECUTE FUNCTION keep_fixed('ck_virtual_machine_interfaces_virtual_machine_id_fixed');

CREATE OR REPLACE TRIGGER virtual_machine_addresses_fixed BEFORE UPDATE OF ip_address_id ON virtual_machine_addresses
  FOR EACH ROW WHEN (NEW.ip_address_id <> OLD.ip_address_id)
  EXECUTE FUNCTION keep_fixed('ck_virtual_machine_addresses_ip_address_id_fixed');

CREATE OR REPLACE TRIGGER bookings_fixed_asset BEFORE UPDATE OF asset_id ON bookings
  FOR EACH ROW WHEN (NEW.asset_id IS DISTINCT FROM OLD.asset_id) EXECUTE FUNCTION keep_fixed('ck_bookings_asset_id_fixed');

CREATE OR REPLACE TRIGGER bookings_fixed_device BEFORE UPDATE OF device_id ON bookings
  FOR EACH ROW WHEN (NEW.device_id IS DISTINCT FROM OLD.device_id) EXECUTE FUNCTION keep_fixed('ck_bookings_device_id_fixed');

CREATE OR REPLACE TRIGGER bookings_fixed_category BEFORE UPDATE OF category_id ON bookings
  FOR EACH ROW WHEN (NEW.category_id <> OLD.category_id) EXECUTE FUNCTION keep_fixed('ck_bookings_category_id_fixed');

-- What a stocktake counts. A location takes its site along (move_site), and what is deleted is cleared.
CREATE OR REPLACE TRIGGER stocktakes_fixed_site BEFORE UPDATE OF site_id ON stocktakes
  FOR EACH ROW WHEN (NEW.site_id IS DISTINCT FROM OLD.site_id AND pg_trigger_depth() = 0) EXECUTE FUNCTION keep_fixed('ck_stocktakes_site_id_fixed');

CREATE OR REPLACE TRIGGER stocktakes_fixed_location BEFORE UPDATE OF location_id ON stocktakes
  FOR EACH ROW WHEN (NEW.location_id IS DISTINCT FROM OLD.location_id AND pg_trigger_depth() = 0) EXECUTE FUNCTION keep_fixed('ck_stocktakes_location_id_fixed');

CREATE OR REPLACE TRIGGER stocktakes_fixed_category BEFORE UPDATE OF category_id ON stocktakes
  FOR EACH ROW WHEN (NEW.category_id IS DISTINCT FROM OLD.category_id AND pg_trigger_depth() = 0) EXECUTE FUNCTION keep_fixed('ck_stocktakes_category_id_fixed');
