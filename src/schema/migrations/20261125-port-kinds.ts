import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `DROP INDEX "public"."ix_device_ports_device_id_name"`,
  `DROP INDEX "public"."ix_device_type_ports_device_type_id_name"`,
  `CREATE TABLE "device_port_vlans" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "port_id" uuid NOT NULL, "vlan_id" uuid NOT NULL, CONSTRAINT "pk_device_port_vlans" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_device_port_vlans_created_at_id" ON "device_port_vlans"  ("created_at", "id") `,
  `CREATE INDEX "ix_device_port_vlans_vlan_id" ON "device_port_vlans"  ("vlan_id") `,
  `CREATE UNIQUE INDEX "ix_device_port_vlans_port_id_vlan_id" ON "device_port_vlans"  ("port_id", "vlan_id") `,
  `ALTER TABLE "device_ports" ADD "kind" character varying(32) NOT NULL DEFAULT 'network'`,
  `ALTER TABLE "device_ports" ADD "parent_id" uuid`,
  `ALTER TABLE "device_ports" ADD "lag_id" uuid`,
  `ALTER TABLE "device_ports" ADD "mode" character varying(32)`,
  `ALTER TABLE "device_ports" ADD "untagged_vlan_id" uuid`,
  `ALTER TABLE "device_ports" ADD "vrf_id" uuid`,
  `ALTER TABLE "device_ports" ADD "maximum_draw_w" integer`,
  `ALTER TABLE "device_ports" ADD "allocated_draw_w" integer`,
  `ALTER TABLE "device_ports" ADD "power_port_id" uuid`,
  `ALTER TABLE "device_ports" ADD "feed_leg" character varying(32)`,
  `ALTER TABLE "device_ports" ADD "rear_port_id" uuid`,
  `ALTER TABLE "device_ports" ADD "rear_position" integer`,
  `ALTER TABLE "device_ports" ADD "positions" integer`,
  `ALTER TABLE "device_type_ports" ADD "kind" character varying(32) NOT NULL DEFAULT 'network'`,
  `ALTER TABLE "device_type_ports" ADD "maximum_draw_w" integer`,
  `ALTER TABLE "device_type_ports" ADD "allocated_draw_w" integer`,
  `ALTER TABLE "device_type_ports" ADD "power_port_id" uuid`,
  `ALTER TABLE "device_type_ports" ADD "feed_leg" character varying(32)`,
  `ALTER TABLE "device_type_ports" ADD "rear_port_id" uuid`,
  `ALTER TABLE "device_type_ports" ADD "rear_position" integer`,
  `ALTER TABLE "device_type_ports" ADD "positions" integer`,
  `CREATE INDEX "ix_device_ports_untagged_vlan_id" ON "device_ports"  ("untagged_vlan_id") `,
  `CREATE INDEX "ix_device_ports_vrf_id" ON "device_ports"  ("vrf_id") `,
  `CREATE INDEX "ix_device_ports_power_port_id" ON "device_ports"  ("power_port_id") WHERE "power_port_id" IS NOT NULL`,
  `CREATE INDEX "ix_device_ports_lag_id" ON "device_ports"  ("lag_id") WHERE "lag_id" IS NOT NULL`,
  `CREATE INDEX "ix_device_ports_parent_id" ON "device_ports"  ("parent_id") WHERE "parent_id" IS NOT NULL`,
  `CREATE UNIQUE INDEX "ix_device_ports_rear_port_id_rear_position" ON "device_ports"  ("rear_port_id", "rear_position") WHERE "rear_port_id" IS NOT NULL`,
  `CREATE UNIQUE INDEX "ix_device_ports_device_id_kind_name" ON "device_ports"  ("device_id", "kind", "name") `,
  `CREATE INDEX "ix_device_type_ports_power_port_id" ON "device_type_ports"  ("power_port_id") WHERE "power_port_id" IS NOT NULL`,
  `CREATE UNIQUE INDEX "ix_device_type_ports_rear_port_id_rear_position" ON "device_type_ports"  ("rear_port_id", "rear_position") WHERE "rear_port_id" IS NOT NULL`,
  `CREATE UNIQUE INDEX "ix_device_type_ports_device_type_id_kind_name" ON "device_type_ports"  ("device_type_id", "kind", "name") `,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_kind" CHECK ("kind" IN ('network', 'console', 'console-server', 'power', 'outlet', 'front', 'rear'))`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_mode" CHECK ("mode" IN ('access', 'tagged', 'tagged-all'))`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_maximum_draw_w" CHECK ("maximum_draw_w" >= 0)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_allocated_draw_w" CHECK ("allocated_draw_w" >= 0)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_feed_leg" CHECK ("feed_leg" IN ('A', 'B', 'C'))`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_rear_position" CHECK ("rear_position" >= 1 AND "rear_position" <= 1024)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_positions" CHECK ("positions" >= 1 AND "positions" <= 1024)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_parent_id_kind" CHECK (kind = 'network' OR parent_id IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_lag_id_kind" CHECK (kind = 'network' OR lag_id IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_mode_kind" CHECK (kind = 'network' OR mode IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_untagged_vlan_id_kind" CHECK (kind = 'network' OR untagged_vlan_id IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_vrf_id_kind" CHECK (kind = 'network' OR vrf_id IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_mac_address_kind" CHECK (kind = 'network' OR mac_address IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_mtu_kind" CHECK (kind = 'network' OR mtu IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_speed_mbps_kind" CHECK (kind = 'network' OR speed_mbps IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_maximum_draw_w_kind" CHECK (kind = 'power' OR maximum_draw_w IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_allocated_draw_w_kind" CHECK (kind = 'power' OR allocated_draw_w IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_power_port_id_kind" CHECK (kind = 'outlet' OR power_port_id IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_feed_leg_kind" CHECK (kind = 'outlet' OR feed_leg IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_rear_port_id_kind" CHECK (kind = 'front' OR rear_port_id IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_rear_position_kind" CHECK (kind = 'front' OR rear_position IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_positions_kind" CHECK (kind = 'rear' OR positions IS NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_rear_port_id_front" CHECK (kind <> 'front' OR rear_port_id IS NOT NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_rear_position_front" CHECK (kind <> 'front' OR rear_position IS NOT NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "ck_device_ports_positions_rear" CHECK (kind <> 'rear' OR positions IS NOT NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_kind" CHECK ("kind" IN ('network', 'console', 'console-server', 'power', 'outlet', 'front', 'rear'))`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_maximum_draw_w" CHECK ("maximum_draw_w" >= 0)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_allocated_draw_w" CHECK ("allocated_draw_w" >= 0)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_feed_leg" CHECK ("feed_leg" IN ('A', 'B', 'C'))`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_rear_position" CHECK ("rear_position" >= 1 AND "rear_position" <= 1024)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_positions" CHECK ("positions" >= 1 AND "positions" <= 1024)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_speed_mbps_kind" CHECK (kind = 'network' OR speed_mbps IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_maximum_draw_w_kind" CHECK (kind = 'power' OR maximum_draw_w IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_allocated_draw_w_kind" CHECK (kind = 'power' OR allocated_draw_w IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_power_port_id_kind" CHECK (kind = 'outlet' OR power_port_id IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_feed_leg_kind" CHECK (kind = 'outlet' OR feed_leg IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_rear_port_id_kind" CHECK (kind = 'front' OR rear_port_id IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_rear_position_kind" CHECK (kind = 'front' OR rear_position IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_positions_kind" CHECK (kind = 'rear' OR positions IS NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_rear_port_id_front" CHECK (kind <> 'front' OR rear_port_id IS NOT NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_rear_position_front" CHECK (kind <> 'front' OR rear_position IS NOT NULL)`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "ck_device_type_ports_positions_rear" CHECK (kind <> 'rear' OR positions IS NOT NULL)`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "fk_device_ports_parent_id" FOREIGN KEY ("parent_id") REFERENCES "device_ports"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "fk_device_ports_lag_id" FOREIGN KEY ("lag_id") REFERENCES "device_ports"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "fk_device_ports_untagged_vlan_id" FOREIGN KEY ("untagged_vlan_id") REFERENCES "vlans"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "fk_device_ports_vrf_id" FOREIGN KEY ("vrf_id") REFERENCES "vrfs"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "fk_device_ports_power_port_id" FOREIGN KEY ("power_port_id") REFERENCES "device_ports"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "device_ports" ADD CONSTRAINT "fk_device_ports_rear_port_id" FOREIGN KEY ("rear_port_id") REFERENCES "device_ports"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_port_vlans" ADD CONSTRAINT "fk_device_port_vlans_port_id" FOREIGN KEY ("port_id") REFERENCES "device_ports"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_port_vlans" ADD CONSTRAINT "fk_device_port_vlans_vlan_id" FOREIGN KEY ("vlan_id") REFERENCES "vlans"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "fk_device_type_ports_power_port_id" FOREIGN KEY ("power_port_id") REFERENCES "device_type_ports"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "device_type_ports" ADD CONSTRAINT "fk_device_type_ports_rear_port_id" FOREIGN KEY ("rear_port_id") REFERENCES "device_type_ports"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `SELECT log_records('device_type_ports', 'network', 'name', '{}', '{}', 't')`,
  `CREATE INDEX ix_device_type_ports_name_order ON device_type_ports (name COLLATE "C", id)`,
  `CREATE INDEX ix_device_type_ports_label_order ON device_type_ports (label COLLATE "C", id)`,
  `SELECT log_records('device_ports', 'network', 'name', '{}', '{}', 't')`,
  `CREATE INDEX ix_device_ports_name_order ON device_ports (name COLLATE "C", id)`,
  `CREATE INDEX ix_device_ports_label_order ON device_ports (label COLLATE "C", id)`,
  `CREATE INDEX ix_device_ports_mac_address_order ON device_ports (mac_address COLLATE "C", id)`,
  `SELECT log_records('device_port_vlans', 'network', 'name', '{}', '{}', 't')`,
  `SELECT log_records('virtual_machine_interfaces', 'network', 'name', '{}', '{}', 't')`,
  `CREATE INDEX ix_virtual_machine_interfaces_name_order ON virtual_machine_interfaces (name COLLATE "C", id)`,
  `CREATE INDEX ix_virtual_machine_interfaces_mac_address_order ON virtual_machine_interfaces (mac_address COLLATE "C", id)`,
  `SELECT log_records('circuit_terminations', 'network', 'side', '{}', '{}', 't')`,
  `CREATE INDEX ix_circuit_terminations_provider_network_order ON circuit_terminations (provider_network COLLATE "C", id)`,
  `CREATE INDEX ix_circuit_terminations_cross_connect_order ON circuit_terminations (cross_connect COLLATE "C", id)`,
  `CREATE INDEX ix_circuit_terminations_patch_panel_order ON circuit_terminations (patch_panel COLLATE "C", id)`,
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- Sub-interfaces and members of link aggregations are ports of the same device. A link aggregation is locked, so that a change of
-- its type at the same time waits, and then sees the members.
CREATE OR REPLACE FUNCTION device_port_links() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other record;
BEGIN
  IF NEW.parent_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.parent_id IS DISTINCT FROM OLD.parent_id) THEN
    SELECT p.device_id, p.kind INTO other FROM device_ports p WHERE p.id = NEW.parent_id;
    IF NEW.parent_id = NEW.id OR (FOUND AND (other.device_id <> NEW.device_id OR other.kind <> 'network')) THEN
      RAISE EXCEPTION 'a port is no sub-interface of such a port'
        USING ERRCODE = 'check_violation', TABLE = 'device_ports', CONSTRAINT = 'ck_device_ports_parent';
    END IF;
    IF TG_OP = 'UPDATE' THEN
      -- Two changes that are harmless alone can close a circle together.
      PERFORM pg_advisory_xact_lock(hashtextextended('device_ports.parent_id ' || NEW.device_id, 0));
      IF EXISTS (
        WITH RECURSIVE ancestors AS (
          SELECT NEW.parent_id AS id
          UNION
          SELECT p.parent_id FROM device_ports p JOIN ancestors a ON a.id = p.id WHERE p.parent_id IS NOT NULL
        )
        SELECT FROM ancestors WHERE id = NEW.id
      ) THEN
        RAISE EXCEPTION 'a port cannot be its own ancestor'
          USING ERRCODE = 'check_violation', TABLE = 'device_ports', CONSTRAINT = 'ck_device_ports_parent_id';
      END IF;
    END IF;
  END IF;
  IF NEW.lag_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.lag_id IS DISTINCT FROM OLD.lag_id) THEN
    SELECT p.device_id, p.type INTO other FROM device_ports p WHERE p.id = NEW.lag_id FOR SHARE;
    IF NEW.lag_id = NEW.id OR (FOUND AND (other.device_id <> NEW.device_id OR other.type IS DISTINCT FROM 'lag')) THEN
      RAISE EXCEPTION 'a port is no member of such a port'
        USING ERRCODE = 'check_violation', TABLE = 'device_ports', CONSTRAINT = 'ck_device_ports_lag';
    END IF;
  END IF;
  RETURN NULL;
END
$$;

-- After the statement, whose rows may refer to each other.
CREATE OR REPLACE TRIGGER device_ports_relatives_insert AFTER INSERT ON device_ports
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL OR NEW.lag_id IS NOT NULL) EXECUTE FUNCTION device_port_links();

CREATE OR REPLACE TRIGGER device_ports_relatives_update AFTER UPDATE OF parent_id, lag_id ON device_ports
  FOR EACH ROW WHEN (
    (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
    OR (NEW.lag_id IS NOT NULL AND NEW.lag_id IS DISTINCT FROM OLD.lag_id)
  ) EXECUTE FUNCTION device_port_links();`,
  `-- Only a port in the mode tagged has tagged VLANs. The lock makes it wait for a change of the mode.
CREATE OR REPLACE FUNCTION device_port_vlans_mode() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  mode_of_port text;
BEGIN
  SELECT mode INTO mode_of_port FROM device_ports WHERE id = NEW.port_id FOR SHARE;
  IF FOUND AND mode_of_port IS DISTINCT FROM 'tagged' THEN
    RAISE EXCEPTION 'the port is not in the mode tagged'
      USING ERRCODE = 'check_violation', TABLE = 'device_port_vlans', CONSTRAINT = 'ck_device_port_vlans_mode';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_port_vlans_mode BEFORE INSERT ON device_port_vlans
  FOR EACH ROW EXECUTE FUNCTION device_port_vlans_mode();`,
  `-- A link aggregation with members, and a port with tagged VLANs, stay what they are.
CREATE OR REPLACE FUNCTION device_ports_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.type = 'lag' AND NEW.type IS DISTINCT FROM 'lag' AND EXISTS (SELECT FROM device_ports WHERE lag_id = NEW.id) THEN
    RAISE EXCEPTION 'a link aggregation has members'
      USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_type_members';
  END IF;
  IF OLD.mode = 'tagged' AND NEW.mode IS DISTINCT FROM 'tagged'
    AND EXISTS (SELECT FROM device_port_vlans WHERE port_id = NEW.id) THEN
    RAISE EXCEPTION 'a port has tagged VLANs'
      USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_mode_vlans';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_kept BEFORE UPDATE OF type, mode ON device_ports
  FOR EACH ROW WHEN ((NEW.type, NEW.mode) IS DISTINCT FROM (OLD.type, OLD.mode)) EXECUTE FUNCTION device_ports_kept();`,
  `-- An address that is bound to a port belongs to the port's device. Ports never move, so this can only break where an
-- address is written:
--
-- - Binding it (interface_id is set or changed) makes device_id the port's device, whatever was given beside it. The device
--   is locked before the foreign keys lock the port, in the order in which deleting the device locks them. Where the port
--   or its device is gone, nothing is set and the foreign key on interface_id refuses.
-- - Changing device_id alone must not contradict the port. A device that is being deleted is exempt: its row is gone
--   already when the foreign keys clear device_id and, by way of its ports, interface_id, in whichever order they run.
--
-- Deleting a port clears interface_id by its foreign key and leaves device_id.
CREATE OR REPLACE FUNCTION ip_addresses_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  home uuid;
  kind_of_port text;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.interface_id IS DISTINCT FROM OLD.interface_id THEN
    SELECT d.id, p.kind INTO home, kind_of_port
      FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id
      FOR KEY SHARE OF d;
    IF FOUND THEN
      IF kind_of_port <> 'network' THEN
        RAISE EXCEPTION 'an address is bound to network ports only'
          USING ERRCODE = 'check_violation', TABLE = 'ip_addresses', CONSTRAINT = 'ck_ip_addresses_interface_kind';
      END IF;
      NEW.device_id := home;
    END IF;
  ELSIF EXISTS (
    SELECT FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id AND p.device_id IS DISTINCT FROM NEW.device_id
  ) THEN
    RAISE EXCEPTION 'device_id contradicts the port of the address'
      USING ERRCODE = 'check_violation', TABLE = 'ip_addresses', CONSTRAINT = 'ck_ip_addresses_device_id';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER ip_addresses_home BEFORE INSERT OR UPDATE OF interface_id, device_id ON ip_addresses
  FOR EACH ROW WHEN (NEW.interface_id IS NOT NULL) EXECUTE FUNCTION ip_addresses_home();`,
  `-- Fields that are set when a record is created and never changed. The argument names the rule.
CREATE OR REPLACE FUNCTION keep_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% cannot be changed', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_ARGV[0];
END
$$;

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
  EXECUTE FUNCTION keep_fixed('ck_virtual_machine_addresses_ip_address_id_fixed');`,
  `-- A text with the numbers in it filled up with zeros, so that Ethernet1/2 comes before Ethernet1/10. Numbers of more than
-- twelve digits are compared as texts.
CREATE OR REPLACE FUNCTION natural_order(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(name, '([0-9]+)', '000000000000\\1', 'g'), '0*([0-9]{12,})', '\\1', 'g')
$$;`,
  `-- A front port is at the first position of its rear port, and a rear port has one position, unless something else is said.
CREATE OR REPLACE FUNCTION port_defaults() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind = 'front' THEN NEW.rear_position := coalesce(NEW.rear_position, 1); END IF;
  IF NEW.kind = 'rear' THEN NEW.positions := coalesce(NEW.positions, 1); END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_defaults BEFORE INSERT ON device_ports
  FOR EACH ROW WHEN (NEW.kind IN ('front', 'rear')) EXECUTE FUNCTION port_defaults();

CREATE OR REPLACE TRIGGER device_type_ports_defaults BEFORE INSERT ON device_type_ports
  FOR EACH ROW WHEN (NEW.kind IN ('front', 'rear')) EXECUTE FUNCTION port_defaults();`,
  `-- What ports of all owners refer to: an outlet to a power port, and a front port to a position of a rear port, of the same
-- owner. Ports never change their owner or kind. The rear ports are locked, so that a change of their positions at the same time
-- waits, and then sees the front ports. The arguments are the column of the owner and the names of the rules.
CREATE OR REPLACE FUNCTION port_links() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_links boolean;
  broken text;
BEGIN
  SELECT bool_or(rear_port_id IS NOT NULL OR power_port_id IS NOT NULL OR kind = 'rear') INTO has_links FROM changed;
  IF has_links IS NOT TRUE THEN RETURN NULL; END IF;
  EXECUTE format('SELECT FROM %1$I r WHERE r.id IN (SELECT rear_port_id FROM changed) ORDER BY r.id FOR SHARE', TG_TABLE_NAME);
  EXECUTE format($sql$
    SELECT min(rule) FROM (
      SELECT CASE WHEN o.kind <> 'power' OR o.%2$I <> c.%2$I THEN $1 END AS rule
      FROM changed c JOIN %1$I o ON o.id = c.power_port_id
      UNION ALL
      SELECT CASE WHEN o.kind <> 'rear' OR o.%2$I <> c.%2$I THEN $2 WHEN c.rear_position > o.positions THEN $3 END
      FROM changed c JOIN %1$I o ON o.id = c.rear_port_id
    ) rules$sql$, TG_TABLE_NAME, TG_ARGV[0]) INTO broken USING TG_ARGV[1], TG_ARGV[2], TG_ARGV[3];
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a port refers to one that it cannot belong to'
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    EXECUTE format($sql$
      SELECT $1 FROM changed c JOIN %1$I f ON f.rear_port_id = c.id AND f.rear_position > c.positions LIMIT 1$sql$,
      TG_TABLE_NAME) INTO broken USING TG_ARGV[4];
    IF broken IS NOT NULL THEN
      RAISE EXCEPTION 'a port has a position that would be gone'
        USING ERRCODE = 'exclusion_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_links_insert AFTER INSERT ON device_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_id', 'ck_device_ports_power_port', 'ck_device_ports_rear_port',
    'ck_device_ports_rear_position_most', 'ex_device_ports_positions');

CREATE OR REPLACE TRIGGER device_ports_links_update AFTER UPDATE ON device_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_id', 'ck_device_ports_power_port', 'ck_device_ports_rear_port',
    'ck_device_ports_rear_position_most', 'ex_device_ports_positions');

CREATE OR REPLACE TRIGGER device_type_ports_links_insert AFTER INSERT ON device_type_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_type_id', 'ck_device_type_ports_power_port',
    'ck_device_type_ports_rear_port', 'ck_device_type_ports_rear_position_most', 'ex_device_type_ports_positions');

CREATE OR REPLACE TRIGGER device_type_ports_links_update AFTER UPDATE ON device_type_ports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION port_links('device_type_id', 'ck_device_type_ports_power_port',
    'ck_device_type_ports_rear_port', 'ck_device_type_ports_rear_position_most', 'ex_device_type_ports_positions');`,
  `CREATE INDEX ix_device_ports_name_natural ON device_ports (natural_order(name) COLLATE "C", name COLLATE "C", id)`,
  `CREATE INDEX ix_device_type_ports_name_natural ON device_type_ports (natural_order(name) COLLATE "C", name COLLATE "C", id)`,
];

const down = [
  `DROP INDEX ix_device_ports_name_natural`,
  `DROP INDEX ix_device_type_ports_name_natural`,
  `DROP TRIGGER device_ports_relatives_update ON device_ports`,
  `DROP TRIGGER device_ports_relatives_insert ON device_ports`,
  `DROP FUNCTION device_port_links()`,
  `DROP TRIGGER device_port_vlans_mode ON device_port_vlans`,
  `DROP FUNCTION device_port_vlans_mode()`,
  `DROP TRIGGER device_ports_kept ON device_ports`,
  `DROP FUNCTION device_ports_kept()`,
  `CREATE OR REPLACE FUNCTION public.ip_addresses_home()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  home uuid;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.interface_id IS DISTINCT FROM OLD.interface_id THEN
    SELECT d.id INTO home
      FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id
      FOR KEY SHARE OF d;
    IF FOUND THEN
      NEW.device_id := home;
    END IF;
  ELSIF EXISTS (
    SELECT FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id AND p.device_id IS DISTINCT FROM NEW.device_id
  ) THEN
    RAISE EXCEPTION 'device_id contradicts the port of the address'
      USING ERRCODE = 'check_violation', TABLE = 'ip_addresses', CONSTRAINT = 'ck_ip_addresses_device_id';
  END IF;
  RETURN NEW;
END
$function$
`,
  `DROP TRIGGER virtual_machine_interfaces_fixed ON virtual_machine_interfaces`,
  `DROP TRIGGER device_type_ports_fixed_owner ON device_type_ports`,
  `DROP TRIGGER device_type_ports_fixed ON device_type_ports`,
  `DROP TRIGGER device_port_vlans_fixed ON device_port_vlans`,
  `DROP TRIGGER device_ports_fixed_owner ON device_ports`,
  `DROP TRIGGER device_ports_fixed ON device_ports`,
  `DROP TRIGGER circuit_terminations_fixed_owner ON circuit_terminations`,
  `DROP FUNCTION natural_order(text)`,
  `DROP TRIGGER device_type_ports_defaults ON device_type_ports`,
  `DROP TRIGGER device_ports_defaults ON device_ports`,
  `DROP FUNCTION port_defaults()`,
  `DROP TRIGGER device_type_ports_links_update ON device_type_ports`,
  `DROP TRIGGER device_type_ports_links_insert ON device_type_ports`,
  `DROP TRIGGER device_ports_links_update ON device_ports`,
  `DROP TRIGGER device_ports_links_insert ON device_ports`,
  `DROP FUNCTION port_links()`,
  `DROP INDEX IF EXISTS ix_circuit_terminations_patch_panel_order`,
  `DROP INDEX IF EXISTS ix_circuit_terminations_cross_connect_order`,
  `DROP INDEX IF EXISTS ix_circuit_terminations_provider_network_order`,
  `SELECT log_records('circuit_terminations', 'network', 'side', '{}', '{}', 'f')`,
  `DROP INDEX IF EXISTS ix_virtual_machine_interfaces_mac_address_order`,
  `DROP INDEX IF EXISTS ix_virtual_machine_interfaces_name_order`,
  `SELECT log_records('virtual_machine_interfaces', 'network', 'name', '{}', '{}', 'f')`,
  `DELETE FROM record_counts WHERE table_name = 'device_port_vlans'`,
  `DELETE FROM value_counts WHERE table_name = 'device_port_vlans'`,
  `DROP INDEX IF EXISTS ix_device_ports_mac_address_order`,
  `DROP INDEX IF EXISTS ix_device_ports_label_order`,
  `DROP INDEX IF EXISTS ix_device_ports_name_order`,
  `SELECT log_records('device_ports', 'network', 'name', '{}', '{}', 'f')`,
  `DROP INDEX IF EXISTS ix_device_type_ports_label_order`,
  `DROP INDEX IF EXISTS ix_device_type_ports_name_order`,
  `SELECT log_records('device_type_ports', 'network', 'name', '{}', '{}', 'f')`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "fk_device_type_ports_rear_port_id"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "fk_device_type_ports_power_port_id"`,
  `ALTER TABLE "device_port_vlans" DROP CONSTRAINT "fk_device_port_vlans_vlan_id"`,
  `ALTER TABLE "device_port_vlans" DROP CONSTRAINT "fk_device_port_vlans_port_id"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "fk_device_ports_rear_port_id"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "fk_device_ports_power_port_id"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "fk_device_ports_vrf_id"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "fk_device_ports_untagged_vlan_id"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "fk_device_ports_lag_id"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "fk_device_ports_parent_id"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_positions_rear"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_rear_position_front"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_rear_port_id_front"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_positions_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_rear_position_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_rear_port_id_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_feed_leg_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_power_port_id_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_allocated_draw_w_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_maximum_draw_w_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_device_type_ports_speed_mbps_kind"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_positions"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_rear_position"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_feed_leg"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_allocated_draw_w"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_maximum_draw_w"`,
  `ALTER TABLE "device_type_ports" DROP CONSTRAINT "ck_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_positions_rear"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_rear_position_front"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_rear_port_id_front"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_positions_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_rear_position_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_rear_port_id_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_feed_leg_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_power_port_id_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_allocated_draw_w_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_maximum_draw_w_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_speed_mbps_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_mtu_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_mac_address_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_vrf_id_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_untagged_vlan_id_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_mode_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_lag_id_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_device_ports_parent_id_kind"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_positions"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_rear_position"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_feed_leg"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_allocated_draw_w"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_maximum_draw_w"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_mode"`,
  `ALTER TABLE "device_ports" DROP CONSTRAINT "ck_kind"`,
  `DROP INDEX "public"."ix_device_type_ports_device_type_id_kind_name"`,
  `DROP INDEX "public"."ix_device_type_ports_rear_port_id_rear_position"`,
  `DROP INDEX "public"."ix_device_type_ports_power_port_id"`,
  `DROP INDEX "public"."ix_device_ports_device_id_kind_name"`,
  `DROP INDEX "public"."ix_device_ports_rear_port_id_rear_position"`,
  `DROP INDEX "public"."ix_device_ports_parent_id"`,
  `DROP INDEX "public"."ix_device_ports_lag_id"`,
  `DROP INDEX "public"."ix_device_ports_power_port_id"`,
  `DROP INDEX "public"."ix_device_ports_vrf_id"`,
  `DROP INDEX "public"."ix_device_ports_untagged_vlan_id"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "positions"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "rear_position"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "rear_port_id"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "feed_leg"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "power_port_id"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "allocated_draw_w"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "maximum_draw_w"`,
  `ALTER TABLE "device_type_ports" DROP COLUMN "kind"`,
  `ALTER TABLE "device_ports" DROP COLUMN "positions"`,
  `ALTER TABLE "device_ports" DROP COLUMN "rear_position"`,
  `ALTER TABLE "device_ports" DROP COLUMN "rear_port_id"`,
  `ALTER TABLE "device_ports" DROP COLUMN "feed_leg"`,
  `ALTER TABLE "device_ports" DROP COLUMN "power_port_id"`,
  `ALTER TABLE "device_ports" DROP COLUMN "allocated_draw_w"`,
  `ALTER TABLE "device_ports" DROP COLUMN "maximum_draw_w"`,
  `ALTER TABLE "device_ports" DROP COLUMN "vrf_id"`,
  `ALTER TABLE "device_ports" DROP COLUMN "untagged_vlan_id"`,
  `ALTER TABLE "device_ports" DROP COLUMN "mode"`,
  `ALTER TABLE "device_ports" DROP COLUMN "lag_id"`,
  `ALTER TABLE "device_ports" DROP COLUMN "parent_id"`,
  `ALTER TABLE "device_ports" DROP COLUMN "kind"`,
  `DROP INDEX "public"."ix_device_port_vlans_port_id_vlan_id"`,
  `DROP INDEX "public"."ix_device_port_vlans_vlan_id"`,
  `DROP INDEX "public"."ix_device_port_vlans_created_at_id"`,
  `DROP TABLE "device_port_vlans"`,
  `CREATE UNIQUE INDEX "ix_device_type_ports_device_type_id_name" ON "device_type_ports" USING btree ("device_type_id", "name") `,
  `CREATE UNIQUE INDEX "ix_device_ports_device_id_name" ON "device_ports" USING btree ("device_id", "name") `,
];

export class PortKinds1795700000023 implements MigrationInterface {
  readonly name = 'PortKinds1795700000023';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
