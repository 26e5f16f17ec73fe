import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- The devices that lose power when feeds and devices fail: \`down\` if no cabled power port of theirs still has a supply, \`degraded\` if
-- some have. A supply is lost at a failed feed, at an outlet of a device that is down, and at an outlet all of whose cabled power
-- ports are lost. What has no cable, or no known feed, holds. \`via\` is at the other end of the cable of a lost port.
-- OFFSET 0 keeps the planner from reading all ports and cables: those that hang on a feed are few among them.
CREATE OR REPLACE FUNCTION power_lost(feeds uuid[], devices uuid[])
RETURNS TABLE (device_id uuid, effect text, via_resource text, via_id uuid) LANGUAGE plpgsql STABLE AS $$
DECLARE
  down uuid[] := devices;
  lost uuid[] := '{}';
  lost_outlets uuid[] := '{}';
  suppliers uuid[] := feeds || ARRAY(
    SELECT p.id FROM unnest(devices) d (id) CROSS JOIN LATERAL (
      SELECT o.id FROM device_ports o WHERE o.device_id = d.id AND o.kind = 'outlet' OFFSET 0) p);
  fresh uuid[];
  touched uuid[];
  newly uuid[];
BEGIN
  WHILE cardinality(suppliers) > 0 LOOP
    SELECT coalesce(array_agg(p.id), '{}'), coalesce(array_agg(DISTINCT p.device_id), '{}') INTO fresh, touched
      FROM unnest(suppliers) s (id) CROSS JOIN LATERAL (
        SELECT p.id, p.device_id FROM cable_ends e JOIN device_ports p ON p.id = e.other_id AND p.kind = 'power'
        WHERE e.end_id = s.id OFFSET 0
      ) p
      WHERE p.device_id NOT IN (SELECT unnest(down));
    lost := lost || fresh;
    newly := ARRAY(
      SELECT t.id FROM unnest(touched) t (id) WHERE NOT EXISTS (
        SELECT FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
        WHERE p.device_id = t.id AND p.kind = 'power' AND p.id NOT IN (SELECT unnest(lost)) OFFSET 0));
    down := down || newly;
    suppliers := ARRAY(
      SELECT o.id FROM unnest(touched) t (id) CROSS JOIN LATERAL (
        SELECT p.id, p.device_id, p.power_port_id FROM device_ports p WHERE p.device_id = t.id AND p.kind = 'outlet' OFFSET 0
      ) o
      WHERE o.id NOT IN (SELECT unnest(lost_outlets))
        AND (o.device_id IN (SELECT unnest(newly)) OR (
          SELECT bool_and(p.id IN (SELECT unnest(lost))) FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
          WHERE p.device_id = o.device_id AND p.kind = 'power' AND (o.power_port_id IS NULL OR p.id = o.power_port_id))));
    lost_outlets := lost_outlets || suppliers;
  END LOOP;
  RETURN QUERY
    SELECT DISTINCT ON (p.device_id) p.device_id, CASE WHEN p.device_id IN (SELECT unnest(down)) THEN 'down' ELSE 'degraded' END,
      CASE WHEN p.outlet_id IS NULL THEN 'power-feeds' ELSE 'devices' END, coalesce(p.outlet_of, p.other_id)
    FROM unnest(lost) l (id) CROSS JOIN LATERAL (
      SELECT p.id, p.device_id, p.name, e.other_id, o.id AS outlet_id, o.device_id AS outlet_of
      FROM device_ports p JOIN cable_ends e ON e.end_id = p.id LEFT JOIN device_ports o ON o.id = e.other_id
      WHERE p.id = l.id OFFSET 0
    ) p
    ORDER BY p.device_id, natural_order(p.name) COLLATE "C", p.id;
END
$$;`,
];

const down = [
  `CREATE OR REPLACE FUNCTION power_lost(feeds uuid[], devices uuid[])
 RETURNS TABLE(device_id uuid, effect text, via_resource text, via_id uuid)
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  down uuid[] := devices;
  lost uuid[] := '{}';
  lost_outlets uuid[] := '{}';
  suppliers uuid[] := feeds || ARRAY(SELECT p.id FROM device_ports p WHERE p.device_id = ANY (devices) AND p.kind = 'outlet');
  fresh uuid[];
  touched uuid[];
  newly uuid[];
BEGIN
  WHILE cardinality(suppliers) > 0 LOOP
    fresh := ARRAY(
      SELECT p.id FROM unnest(suppliers) s (id) JOIN cable_ends e ON e.end_id = s.id
        JOIN device_ports p ON p.id = e.other_id AND p.kind = 'power'
      WHERE p.device_id NOT IN (SELECT unnest(down)));
    lost := lost || fresh;
    touched := ARRAY(SELECT DISTINCT p.device_id FROM unnest(fresh) f (id) JOIN device_ports p ON p.id = f.id);
    newly := ARRAY(
      SELECT t.id FROM unnest(touched) t (id) WHERE NOT EXISTS (
        SELECT FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
        WHERE p.device_id = t.id AND p.kind = 'power' AND p.id NOT IN (SELECT unnest(lost))));
    down := down || newly;
    suppliers := ARRAY(
      SELECT o.id FROM device_ports o WHERE o.device_id = ANY (touched) AND o.kind = 'outlet'
        AND o.id NOT IN (SELECT unnest(lost_outlets))
        AND (o.device_id IN (SELECT unnest(newly)) OR (
          SELECT bool_and(p.id IN (SELECT unnest(lost))) FROM device_ports p JOIN cable_ends e ON e.end_id = p.id
          WHERE p.device_id = o.device_id AND p.kind = 'power' AND (o.power_port_id IS NULL OR p.id = o.power_port_id))));
    lost_outlets := lost_outlets || suppliers;
  END LOOP;
  RETURN QUERY
    SELECT DISTINCT ON (p.device_id) p.device_id, CASE WHEN p.device_id IN (SELECT unnest(down)) THEN 'down' ELSE 'degraded' END,
      CASE WHEN o.id IS NULL THEN 'power-feeds' ELSE 'devices' END, coalesce(o.device_id, e.other_id)
    FROM unnest(lost) l (id) JOIN device_ports p ON p.id = l.id JOIN cable_ends e ON e.end_id = p.id
      LEFT JOIN device_ports o ON o.id = e.other_id
    ORDER BY p.device_id, natural_order(p.name) COLLATE "C", p.id;
END
$function$
`,
];

export class PowerLost1795700000041 implements MigrationInterface {
  readonly name = 'PowerLost1795700000041';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
