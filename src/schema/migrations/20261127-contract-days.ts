import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
  `-- The days of a contract do not leave out those of what it covers.
CREATE OR REPLACE FUNCTION contracts_coverage() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other record;
BEGIN
  SELECT x.id, CASE WHEN x.start_date < NEW.start_date OR x.end_date < NEW.start_date THEN 'startDate' ELSE 'endDate' END AS outside
    INTO other FROM contract_coverage x
    WHERE x.contract_id = NEW.id AND day_outside(x.start_date, x.end_date, NEW.start_date, NEW.end_date) IS NOT NULL
    ORDER BY x.created_at, x.id LIMIT 1;
  IF FOUND THEN
    -- In the form in which PostgreSQL tells what an index refuses, so that the answer can name the coverage.
    RAISE EXCEPTION 'coverage would be outside the days of its contract'
      USING ERRCODE = 'exclusion_violation', TABLE = 'contract_coverage', CONSTRAINT = 'ex_contracts_coverage', COLUMN = other.outside,
        DETAIL = format('Key (id)=(%s) conflicts with existing key (id)=(%s).', other.id, other.id);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER contracts_coverage AFTER UPDATE OF start_date, end_date ON contracts
  FOR EACH ROW WHEN ((NEW.start_date, NEW.end_date) IS DISTINCT FROM (OLD.start_date, OLD.end_date))
  EXECUTE FUNCTION contracts_coverage();`,
];

const down = [
  `CREATE OR REPLACE FUNCTION public.contracts_coverage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  other record;
BEGIN
  SELECT x.id, day_outside(x.start_date, x.end_date, NEW.start_date, NEW.end_date) AS outside INTO other FROM contract_coverage x
    WHERE x.contract_id = NEW.id AND day_outside(x.start_date, x.end_date, NEW.start_date, NEW.end_date) IS NOT NULL
    ORDER BY x.created_at, x.id LIMIT 1;
  IF FOUND THEN
    -- In the form in which PostgreSQL tells what an index refuses, so that the answer can name the coverage.
    RAISE EXCEPTION 'coverage would be outside the days of its contract'
      USING ERRCODE = 'exclusion_violation', TABLE = 'contract_coverage', CONSTRAINT = 'ex_contracts_coverage', COLUMN = other.outside,
        DETAIL = format('Key (id)=(%s) conflicts with existing key (id)=(%s).', other.id, other.id);
  END IF;
  RETURN NULL;
END
$function$
`,
];

export class ContractDays1795758889482 implements MigrationInterface {
  readonly name = 'ContractDays1795758889482';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
