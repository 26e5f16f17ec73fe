import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- The devices that have the ports at which the traces of a circuit end, in both directions.
CREATE OR REPLACE FUNCTION circuit_devices(circuit uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  WITH RECURSIVE hops (seed, n, arrived_id, kind, passed_id, positions, splits) AS (
    SELECT t.id, 0, NULL::uuid, NULL::text, t.id, '{}'::int[], false FROM circuit_terminations t WHERE t.circuit_id = circuit
    UNION ALL
    SELECT h.seed, h.n + 1, x.arrived_id, x.kind, x.passed_id, x.positions, x.splits
    FROM hops h CROSS JOIN LATERAL cable_hop(h.passed_id, h.positions) x WHERE h.n < 256
  )
  SELECT DISTINCT p.device_id FROM (SELECT DISTINCT ON (seed) * FROM hops ORDER BY seed, n DESC) l
    JOIN device_ports p ON p.id = l.arrived_id WHERE p.kind NOT IN ('front', 'rear')
$$;`,
];

const down = [`DROP FUNCTION circuit_devices(uuid)`];

export class CircuitDevices1795700000028 implements MigrationInterface {
  readonly name = 'CircuitDevices1795700000028';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
