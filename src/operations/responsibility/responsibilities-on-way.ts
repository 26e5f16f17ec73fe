import { snakeCase } from '../../database/naming.js';
import { identifier, join, literal, raw, sql, type Sql } from '../../database/sql.js';
import { tableOf } from '../../lists/record-sql.js';
import { nameOfResource } from '../containment.js';
import { KINDS, RESPONSIBLE } from './responsibility.entity.js';

/** SQL of the rank of a kind of responsibility, which is the order of calls. Null for an installation's own kinds, which come last. */
export const rankOf = (kind: string): Sql =>
  sql`array_position(ARRAY[${join(KINDS.map(literal))}], ${raw(kind)}::text)`;

/**
 * SELECT of the responsibilities for the records on a way outward, as `{seed, resource, id, distance, entry, kind, roster, person_id,
 * created_at, nearest}`. `nearest` is the least distance of the kind from the seed, where the search for the kind ends.
 * @param way name of a CTE of `outward`
 * @param kinds SQL of an array of kinds; all if it is empty
 */
export const responsibilitiesOn = (way: string, kinds: Sql): Sql => sql`
  SELECT e.*, min(e.distance) OVER (PARTITION BY e.seed, e.kind) AS nearest FROM (
    ${join(
      RESPONSIBLE.map(
        ({ owner, field, record }) =>
          sql`SELECT w.*, r.id AS entry, r.kind, r.roster, r.person_id, r.created_at
            FROM ${identifier(way)} w JOIN ${identifier(tableOf(record))} r ON r.${identifier(snakeCase(field))} = w.id
            WHERE w.resource = ${literal(nameOfResource(owner))}`,
      ),
      ' UNION ALL ',
    )}
  ) e WHERE cardinality(${kinds}) = 0 OR e.kind = ANY(${kinds})`;
