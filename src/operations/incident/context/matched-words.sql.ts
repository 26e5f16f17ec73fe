/** Words of a record that the title of an incident is matched with; as indexed. */
export const MATCHED_WORDS = {
  known_issues: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
  runbooks: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
} as const;

const columns = (expression: string): string => expression.replaceAll('t.', '');

export const up: string[] = Object.entries(MATCHED_WORDS).map(
  ([table, expression]) => `CREATE INDEX ix_${table}_words ON ${table} USING gin ((${columns(expression)}))`,
);

export const down: string[] = Object.keys(MATCHED_WORDS).map((table) => `DROP INDEX ix_${table}_words`);
