import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `CREATE TABLE "cables" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "a_resource" character varying(32) NOT NULL DEFAULT 'device-ports', "a_id" uuid NOT NULL, "b_resource" character varying(32) NOT NULL DEFAULT 'device-ports', "b_id" uuid NOT NULL, "type" character varying(255), "status" character varying(255) NOT NULL DEFAULT 'connected', "label" character varying(255), "color" character varying(255), "length_m" double precision, "tenant_group_id" uuid, "description" text, "a_port_id" uuid, "a_termination_id" uuid, "a_feed_id" uuid, "b_port_id" uuid, "b_termination_id" uuid, "b_feed_id" uuid, "custom_fields" jsonb, CONSTRAINT "ck_a_resource" CHECK ("a_resource" IN ('device-ports', 'circuit-terminations', 'power-feeds')), CONSTRAINT "ck_b_resource" CHECK ("b_resource" IN ('device-ports', 'circuit-terminations', 'power-feeds')), CONSTRAINT "ck_length_m" CHECK ("length_m" >= 0), CONSTRAINT "pk_cables" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_cables_created_at_id" ON "cables"  ("created_at", "id") `,
  `CREATE INDEX "ix_cables_tenant_group_id" ON "cables"  ("tenant_group_id") `,
  `CREATE INDEX "ix_cables_a_port_id" ON "cables"  ("a_port_id") `,
  `CREATE INDEX "ix_cables_a_termination_id" ON "cables"  ("a_termination_id") `,
  `CREATE INDEX "ix_cables_a_feed_id" ON "cables"  ("a_feed_id") `,
  `CREATE INDEX "ix_cables_b_port_id" ON "cables"  ("b_port_id") `,
  `CREATE INDEX "ix_cables_b_termination_id" ON "cables"  ("b_termination_id") `,
  `CREATE INDEX "ix_cables_b_feed_id" ON "cables"  ("b_feed_id") `,
  `CREATE TABLE "cable_ends" ("end_id" uuid NOT NULL, "cable_id" uuid NOT NULL, "other_id" uuid NOT NULL, CONSTRAINT "pk_cable_ends" PRIMARY KEY ("end_id"))`,
  `CREATE INDEX "ix_cable_ends_cable_id" ON "cable_ends"  ("cable_id") `,
  `ALTER TABLE "cables" ADD CONSTRAINT "fk_cables_tenant_group_id" FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_groups"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "cables" ADD CONSTRAINT "fk_cables_a_port_id" FOREIGN KEY ("a_port_id") REFERENCES "device_ports"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "cables" ADD CONSTRAINT "fk_cables_a_termination_id" FOREIGN KEY ("a_termination_id") REFERENCES "circuit_terminations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "cables" ADD CONSTRAINT "fk_cables_a_feed_id" FOREIGN KEY ("a_feed_id") REFERENCES "power_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "cables" ADD CONSTRAINT "fk_cables_b_port_id" FOREIGN KEY ("b_port_id") REFERENCES "device_ports"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "cables" ADD CONSTRAINT "fk_cables_b_termination_id" FOREIGN KEY ("b_termination_id") REFERENCES "circuit_terminations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "cables" ADD CONSTRAINT "fk_cables_b_feed_id" FOREIGN KEY ("b_feed_id") REFERENCES "power_feeds"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "cable_ends" ADD CONSTRAINT "fk_cable_ends_cable_id" FOREIGN KEY ("cable_id") REFERENCES "cables"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `SELECT log_records('cables', 'network', 'label', '{}', '{status}', 't')`,
  `DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_cables_search ON cables USING gin (label gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching cables will read all of it';
END
$$`,
  `CREATE INDEX ix_cables_label_order ON cables (label COLLATE "C", id)`,
  `CREATE INDEX ix_cables_status_created_at_id ON cables (status COLLATE "C", created_at, id)`,
  `CREATE INDEX ix_cables_custom_fields ON cables USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL`,
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- Keeps the ends of cables, each of which has at most one, and refuses cables that would close a loop. Two cables that are harmless
-- alone can close one together, so cables between what traces pass through take turns, and so do cables of outlets. A cable at any
-- other port is the end of its trace, and closes no loop.
CREATE OR REPLACE FUNCTION cable_ends() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken record;
  passing uuid[];
  outlets uuid[];
BEGIN
  SELECT array_agg(c.id) INTO passing FROM new_rows c
    LEFT JOIN device_ports a ON a.id = c.a_port_id LEFT JOIN device_ports b ON b.id = c.b_port_id
    WHERE (c.a_termination_id IS NOT NULL OR a.kind IN ('front', 'rear')) AND (c.b_termination_id IS NOT NULL OR b.kind IN ('front', 'rear'));
  SELECT array_agg(p.id) INTO outlets FROM new_rows c JOIN device_ports p ON p.id IN (c.a_port_id, c.b_port_id) AND p.kind = 'outlet';
  IF passing IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended('cables.loops', 0)); END IF;
  IF outlets IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended('cables.power', 0)); END IF;
  -- In one order, so that two requests for the same ends wait for each other instead of failing.
  INSERT INTO cable_ends (end_id, cable_id, other_id)
    SELECT a_id, id, b_id FROM new_rows UNION ALL SELECT b_id, id, a_id FROM new_rows ORDER BY 1
    ON CONFLICT (end_id) DO NOTHING;
  SELECT e.cable_id AS other, CASE e.end_id WHEN c.a_id THEN 'uq_cables_a_id' ELSE 'uq_cables_b_id' END AS rule INTO taken
    FROM new_rows c JOIN cable_ends e ON e.end_id IN (c.a_id, c.b_id) WHERE e.cable_id <> c.id
    ORDER BY c.created_at, c.id, e.end_id = c.b_id LIMIT 1;
  IF FOUND THEN
    -- In the form in which PostgreSQL tells what an index refuses, so that the answer can name the other cable.
    RAISE EXCEPTION 'an end has a cable already'
      USING ERRCODE = 'unique_violation', TABLE = 'cables', CONSTRAINT = taken.rule,
        DETAIL = format('Key (id)=(%s) already exists.', taken.other);
  END IF;
  IF EXISTS (
    SELECT FROM new_rows c WHERE c.id = ANY (passing)
      AND (cable_loops(c.a_id) OR cable_loops(c.b_id))
  ) THEN
    RAISE EXCEPTION 'a cable would close a loop'
      USING ERRCODE = 'exclusion_violation', TABLE = 'cables', CONSTRAINT = 'ex_cables_loop';
  END IF;
  IF EXISTS (SELECT FROM unnest(outlets) outlet WHERE power_loops(outlet)) THEN
    RAISE EXCEPTION 'power would feed itself'
      USING ERRCODE = 'exclusion_violation', TABLE = 'cables', CONSTRAINT = 'ex_cables_power';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER cables_ends AFTER INSERT ON cables REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION cable_ends();`,
  `-- One step of a trace: from an end of cables over its cable, and on through what is behind the other end. A front port is followed by
-- its rear port, whose position is remembered; a rear port by the front port at the position that was remembered last; a circuit
-- termination by the other one. \`passed_id\` is what the next cable is looked for at, null at the end of the way. A rear port with
-- one position neither adds nor takes one. \`splits\`: a position would be needed, and none is remembered.
CREATE OR REPLACE FUNCTION cable_hop(leaving uuid, stack int[])
RETURNS TABLE (cable_id uuid, arrived_id uuid, kind text, passed_id uuid, circuit_id uuid, positions int[], splits boolean)
LANGUAGE sql STABLE AS $$
  SELECT e.cable_id, e.other_id, p.kind::text, coalesce(CASE WHEN p.kind = 'front' THEN p.rear_port_id END, f.id, z.id), z.circuit_id,
    CASE WHEN p.kind = 'front' AND r.positions > 1 THEN stack || p.rear_position
      WHEN p.kind = 'rear' AND p.positions > 1 THEN stack[1:cardinality(stack) - 1]
      ELSE stack END,
    coalesce(p.kind = 'rear' AND p.positions > 1 AND cardinality(stack) = 0, false)
  FROM cable_ends e
    LEFT JOIN device_ports p ON p.id = e.other_id
    LEFT JOIN device_ports r ON r.id = p.rear_port_id
    LEFT JOIN device_ports f ON p.kind = 'rear' AND f.rear_port_id = p.id
      AND f.rear_position = CASE WHEN p.positions = 1 THEN 1 ELSE stack[cardinality(stack)] END
    LEFT JOIN circuit_terminations t ON t.id = e.other_id
    LEFT JOIN circuit_terminations z ON z.circuit_id = t.circuit_id AND z.side <> t.side
  WHERE e.end_id = leaving
$$;`,
  `-- Whether some trace that leaves by the cable of an end would not come to an end. The walk begins with nothing remembered: where a
-- position is needed, it goes on with each of them, as if that one had been remembered all along. It has closed a loop when it leaves
-- by the same cable with the same positions remembered as before, or with ever more of them; where they are ever fewer, the way back
-- has ever more. \`known\` are the positions that were remembered each time when it left by the cable, each after a dot; those of a
-- walk that waits are joined by bars. \`hops\` limits the length of a way.
CREATE OR REPLACE FUNCTION cable_loops(begin_id uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  waiting uuid[] := ARRAY[begin_id];
  befores text[] := ARRAY[''];
  leaving uuid;
  stack int[];
  known text[];
  hops int;
  hop record;
  front record;
  remembered text;
BEGIN
  WHILE cardinality(waiting) > 0 LOOP
    leaving := waiting[cardinality(waiting)];
    known := string_to_array(nullif(befores[cardinality(befores)], ''), '|');
    waiting := waiting[1:cardinality(waiting) - 1];
    befores := befores[1:cardinality(befores) - 1];
    stack := '{}';
    hops := 0;
    LOOP
      IF leaving = begin_id THEN
        remembered := '.' || array_to_string(stack, ',');
        IF remembered = ANY (known) THEN RETURN true; END IF;
        known := known || remembered;
      END IF;
      IF hops > 2000 OR cardinality(stack) > 64 OR cardinality(string_to_array(known[1], ',')) > 64 THEN RETURN true; END IF;
      SELECT * INTO hop FROM cable_hop(leaving, stack);
      EXIT WHEN NOT FOUND;
      hops := hops + 1;
      IF hop.splits THEN
        FOR front IN SELECT id, rear_position FROM device_ports WHERE rear_port_id = hop.arrived_id LOOP
          waiting := waiting || front.id;
          befores := befores || array_to_string(ARRAY(
            SELECT '.' || concat_ws(',', front.rear_position, nullif(substr(k, 2), '')) FROM unnest(known) WITH ORDINALITY u (k, at) ORDER BY at
          ), '|');
        END LOOP;
        EXIT;
      END IF;
      EXIT WHEN hop.passed_id IS NULL;
      leaving := hop.passed_id;
      stack := hop.positions;
    END LOOP;
  END LOOP;
  RETURN false;
END
$$;`,
  `-- What a change of a port that has a cable must not do: take its type away, or close a loop. Deleting a power port leaves its outlets
-- to the others of the device, whatever that closes: it is done by the foreign key, within a trigger.
CREATE OR REPLACE FUNCTION device_ports_cabled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind = 'network' AND NEW.type IN ('virtual', 'lag', 'bridge') AND NEW.type IS DISTINCT FROM OLD.type
    AND EXISTS (SELECT FROM cable_ends WHERE end_id = NEW.id) THEN
    RAISE EXCEPTION 'a port has a cable'
      USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_type_cable';
  END IF;
  IF NEW.kind = 'front' AND (NEW.rear_port_id, NEW.rear_position) IS DISTINCT FROM (OLD.rear_port_id, OLD.rear_position) THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('cables.loops', 0));
    IF EXISTS (
      SELECT FROM cable_ends e WHERE e.end_id = NEW.id
        AND (cable_loops(e.end_id) OR cable_loops(e.other_id))
    ) THEN
      RAISE EXCEPTION 'a port would close a loop'
        USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_rear_port_id_loop';
    END IF;
  END IF;
  IF NEW.kind = 'outlet' AND NEW.power_port_id IS DISTINCT FROM OLD.power_port_id AND pg_trigger_depth() = 1 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('cables.power', 0));
    IF power_loops(NEW.id) THEN
      RAISE EXCEPTION 'power would feed itself'
        USING ERRCODE = 'exclusion_violation', TABLE = 'device_ports', CONSTRAINT = 'ex_device_ports_power_port_id_loop';
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_ports_cabled AFTER UPDATE OF type, rear_port_id, rear_position, power_port_id ON device_ports
  FOR EACH ROW WHEN (
    (NEW.type, NEW.rear_port_id, NEW.rear_position, NEW.power_port_id)
      IS DISTINCT FROM (OLD.type, OLD.rear_port_id, OLD.rear_position, OLD.power_port_id)
  ) EXECUTE FUNCTION device_ports_cabled();`,
  `-- Fields that are set when a record is created and never changed. The argument names the rule.
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
  EXECUTE FUNCTION keep_fixed('ck_virtual_machine_addresses_ip_address_id_fixed');`,
  `-- An end of a cable is a record of one of several tables. The column of its table has a foreign key, which ends with the record.
-- What fits is judged here. Ports are locked, so that a change of their type at the same time waits, and then sees the cable.
CREATE OR REPLACE FUNCTION point_cable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kinds text[];
  side text;
BEGIN
  NEW.a_port_id := CASE WHEN NEW.a_resource = 'device-ports' THEN NEW.a_id END;
  NEW.a_termination_id := CASE WHEN NEW.a_resource = 'circuit-terminations' THEN NEW.a_id END;
  NEW.a_feed_id := CASE WHEN NEW.a_resource = 'power-feeds' THEN NEW.a_id END;
  NEW.b_port_id := CASE WHEN NEW.b_resource = 'device-ports' THEN NEW.b_id END;
  NEW.b_termination_id := CASE WHEN NEW.b_resource = 'circuit-terminations' THEN NEW.b_id END;
  NEW.b_feed_id := CASE WHEN NEW.b_resource = 'power-feeds' THEN NEW.b_id END;
  IF NEW.a_id = NEW.b_id AND NEW.a_resource = NEW.b_resource THEN
    RAISE EXCEPTION 'a cable ends where it begins'
      USING ERRCODE = 'check_violation', TABLE = 'cables', CONSTRAINT = 'ck_cables_itself';
  END IF;
  PERFORM FROM device_ports WHERE id IN (NEW.a_port_id, NEW.b_port_id) ORDER BY id FOR SHARE;
  SELECT CASE p.id WHEN NEW.a_port_id THEN 'ck_cables_a_type' ELSE 'ck_cables_b_type' END INTO side FROM device_ports p
    WHERE p.id IN (NEW.a_port_id, NEW.b_port_id) AND p.kind = 'network' AND p.type IN ('virtual', 'lag', 'bridge')
    ORDER BY p.id = NEW.b_port_id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'nothing is plugged into such a port'
      USING ERRCODE = 'check_violation', TABLE = 'cables', CONSTRAINT = side;
  END IF;
  kinds := ARRAY[
    coalesce((SELECT kind FROM device_ports WHERE id = NEW.a_port_id),
      (SELECT 'circuit termination' FROM circuit_terminations WHERE id = NEW.a_termination_id),
      (SELECT 'power feed' FROM power_feeds WHERE id = NEW.a_feed_id)),
    coalesce((SELECT kind FROM device_ports WHERE id = NEW.b_port_id),
      (SELECT 'circuit termination' FROM circuit_terminations WHERE id = NEW.b_termination_id),
      (SELECT 'power feed' FROM power_feeds WHERE id = NEW.b_feed_id))
  ];
  -- The foreign key refuses what does not exist.
  IF kinds[1] IS NULL OR kinds[2] IS NULL THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM (VALUES ('network', 'network'), ('network', 'front'), ('network', 'rear'), ('front', 'front'), ('front', 'rear'),
      ('rear', 'rear'), ('console', 'console-server'), ('console', 'front'), ('console', 'rear'), ('console-server', 'front'),
      ('console-server', 'rear'), ('power', 'outlet'), ('circuit termination', 'network'), ('circuit termination', 'front'),
      ('circuit termination', 'rear'), ('power feed', 'power')) fits (one, other)
    WHERE kinds IN (ARRAY[one, other], ARRAY[other, one])
  ) THEN
    RAISE EXCEPTION 'a cable does not fit'
      USING ERRCODE = 'check_violation', TABLE = 'cables', CONSTRAINT = 'ck_cables_fit',
        DETAIL = format('a cable cannot join %s and %s', kinds[1], kinds[2]);
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER cables_point BEFORE INSERT ON cables FOR EACH ROW EXECUTE FUNCTION point_cable();`,
  `-- Whether an outlet would feed itself, over the power ports that feed it and their cables.
CREATE OR REPLACE FUNCTION power_loops(outlet uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH RECURSIVE fed (outlet_id) AS (
    SELECT u.id FROM device_ports o JOIN device_ports s ON s.device_id = o.device_id AND s.kind = 'power'
      AND (o.power_port_id IS NULL OR s.id = o.power_port_id)
      JOIN cable_ends e ON e.end_id = s.id JOIN device_ports u ON u.id = e.other_id AND u.kind = 'outlet'
    WHERE o.id = outlet
    UNION
    SELECT u.id FROM fed JOIN device_ports o ON o.id = fed.outlet_id JOIN device_ports s ON s.device_id = o.device_id
      AND s.kind = 'power' AND (o.power_port_id IS NULL OR s.id = o.power_port_id)
      JOIN cable_ends e ON e.end_id = s.id JOIN device_ports u ON u.id = e.other_id AND u.kind = 'outlet'
  )
  SELECT EXISTS (SELECT FROM fed WHERE outlet_id = outlet)
$$;`,
];

const down = [
  `DROP TRIGGER cables_ends ON cables`,
  `DROP FUNCTION cable_ends()`,
  `DROP FUNCTION cable_hop(uuid,integer[])`,
  `DROP FUNCTION cable_loops(uuid)`,
  `DROP TRIGGER device_ports_cabled ON device_ports`,
  `DROP FUNCTION device_ports_cabled()`,
  `DROP TRIGGER cables_fixed_a_id ON cables`,
  `DROP TRIGGER cables_fixed_a_resource ON cables`,
  `DROP TRIGGER cables_fixed_b_id ON cables`,
  `DROP TRIGGER cables_fixed_b_resource ON cables`,
  `DROP TRIGGER cables_point ON cables`,
  `DROP FUNCTION point_cable()`,
  `DROP FUNCTION power_loops(uuid)`,
  `DELETE FROM record_counts WHERE table_name = 'cables'`,
  `DELETE FROM value_counts WHERE table_name = 'cables'`,
  `ALTER TABLE "cable_ends" DROP CONSTRAINT "fk_cable_ends_cable_id"`,
  `ALTER TABLE "cables" DROP CONSTRAINT "fk_cables_b_feed_id"`,
  `ALTER TABLE "cables" DROP CONSTRAINT "fk_cables_b_termination_id"`,
  `ALTER TABLE "cables" DROP CONSTRAINT "fk_cables_b_port_id"`,
  `ALTER TABLE "cables" DROP CONSTRAINT "fk_cables_a_feed_id"`,
  `ALTER TABLE "cables" DROP CONSTRAINT "fk_cables_a_termination_id"`,
  `ALTER TABLE "cables" DROP CONSTRAINT "fk_cables_a_port_id"`,
  `ALTER TABLE "cables" DROP CONSTRAINT "fk_cables_tenant_group_id"`,
  `DROP INDEX "public"."ix_cable_ends_cable_id"`,
  `DROP TABLE "cable_ends"`,
  `DROP INDEX "public"."ix_cables_b_feed_id"`,
  `DROP INDEX "public"."ix_cables_b_termination_id"`,
  `DROP INDEX "public"."ix_cables_b_port_id"`,
  `DROP INDEX "public"."ix_cables_a_feed_id"`,
  `DROP INDEX "public"."ix_cables_a_termination_id"`,
  `DROP INDEX "public"."ix_cables_a_port_id"`,
  `DROP INDEX "public"."ix_cables_tenant_group_id"`,
  `DROP INDEX "public"."ix_cables_created_at_id"`,
  `DROP TABLE "cables"`,
];

export class Cables1795700000026 implements MigrationInterface {
  readonly name = 'Cables1795700000026';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
