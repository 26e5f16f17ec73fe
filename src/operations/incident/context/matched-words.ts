/**
 * Words of a record that are compared with the title of an incident. Must equal the expression of the index `ix_<table>_words`, or the
 * index is not used.
 */
export const MATCHED_WORDS = {
  known_issues: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
  runbooks: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
} as const;
