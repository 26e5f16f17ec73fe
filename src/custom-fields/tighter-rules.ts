import { customFieldOf, compareValues } from '../fields/custom/custom-field.js';
import type { CustomDefinition } from '../fields/custom/definition.js';
import { compilePattern } from '../fields/custom/pattern.js';
import { join, literal, raw, sql, type Sql } from '../database/sql.js';

/**
 * Condition of the rows `t` whose value a changed definition does not admit, though the former one did; undefined if it admits all of
 * them. Only what was changed is compared, with operators that PostgreSQL runs in parallel: the function that the trigger calls for
 * each value takes several times as long. A choice that is gone is found by the index.
 */
export function brokenBy(before: CustomDefinition, after: CustomDefinition): Sql | undefined {
  const broken = [
    ...choiceConditions(before, after),
    ...boundConditions(before, after),
    ...patternConditions(before, after),
  ];
  return broken.length === 0 ? undefined : sql`(${join(broken, ' OR ')})`;
}

/** SQL of the value, with the SQL type of its field. */
const valueOf = (definition: CustomDefinition): Sql => raw(customFieldOf(definition, undefined).sql!('t'));

/** Condition of the rows `t` that have a value. */
export const isPresent = ({ storedAs }: CustomDefinition): Sql => sql`t.custom_fields ? ${literal(storedAs)}`;

function choiceConditions({ choices: former }: CustomDefinition, after: CustomDefinition): Sql[] {
  const { choices, type, storedAs } = after;
  if (choices === null) return [];
  if (former === null) {
    return [sql`${isPresent(after)} AND NOT t.custom_fields->${literal(storedAs)} <@ to_jsonb(${choices}::text[])`];
  }
  const gone = former.filter((choice) => !choices.includes(choice));
  return gone.map((choice) => {
    const having = { [storedAs]: type === 'tags' ? [choice] : choice };
    return sql`t.custom_fields @> ${literal(JSON.stringify(having))}`;
  });
}

function boundConditions(before: CustomDefinition, after: CustomDefinition): Sql[] {
  const { type } = after;
  const beyond = (bound: 'minimum' | 'maximum', operator: '<' | '>', direction: 1 | -1): Sql[] => {
    const [former, limit] = [before[bound], after[bound]];
    if (limit === null || (former !== null && compareValues(type, former, limit) * direction >= 0)) return [];
    return [sql`${isPresent(after)} AND ${valueOf(after)} ${raw(operator)} ${literal(String(limit))}`];
  };
  return [...beyond('minimum', '<', 1), ...beyond('maximum', '>', -1)];
}

function patternConditions(before: CustomDefinition, after: CustomDefinition): Sql[] {
  if (after.pattern === null || after.pattern === before.pattern) return [];
  const expression = compilePattern(after.pattern).source;
  return [sql`${isPresent(after)} AND ${valueOf(after)} !~ ${literal(expression)}`];
}
