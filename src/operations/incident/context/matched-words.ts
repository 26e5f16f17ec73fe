/** Words of a record that the title of an incident is matched with; the expression of the index `ix_<table>_words`, letter for letter, so that it is used. */
export const MATCHED_WORDS = {
  known_issues: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
  runbooks: `to_tsvector('english', t.name || ' ' || coalesce(t.description, ''))`,
} as const;
