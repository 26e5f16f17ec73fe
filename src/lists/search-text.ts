import { literal, raw, type Sql, sql } from '../database/sql.js';
import { unstorable } from '../fields/types/text.js';

// Each text is compared with every record, in upper and lower case.
export const MOST_CHARACTERS = 255;
export const MOST_WORDS = 16;
export const MOST_TEXTS = 16;

/** Why a text is too long to be searched for; undefined if it is not. */
export const tooLong = (text: string): string | undefined =>
  [...text].length > MOST_CHARACTERS ? `must have at most ${MOST_CHARACTERS} characters` : undefined;

/** Why a text cannot be searched for; undefined if it can. */
export const searchFault = (text: string): string | undefined =>
  unstorable(text) ??
  tooLong(text) ??
  (text.trim().split(/\s+/).length > MOST_WORDS ? `must have at most ${MOST_WORDS} words` : undefined);

/** The text as it is, and in the normal forms of Unicode, of which a record may have either: й is one character, or и and a breve. */
export const normalForms = (text: string): string[] => [
  ...new Set([text, text.normalize('NFC'), text.normalize('NFD')]),
];

/**
 * SQL of what ILIKE compares with: the pattern of a text in each of its normal forms.
 * @param parameter SQL for the value of a parameter
 */
export function patterns(operator: 'ic' | 'isw' | 'ie', text: string, parameter = (value: Sql): Sql => value): Sql {
  const forms = normalForms(text).map((form) => pattern(operator, form));
  if (forms.length === 1) return parameter(sql`${forms[0]!}`);
  return sql`ANY(${parameter(sql`${forms}::text[]`)}::text[])`;
}

/** `%text%`, `text%` or `text` for ILIKE, with the wildcards in the caller's text escaped. */
export function pattern(operator: 'ic' | 'isw' | 'ie', value: string): string {
  const escaped = value.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return operator === 'ic' ? `%${escaped}%` : operator === 'isw' ? `${escaped}%` : escaped;
}

export type TextOperator = 'ic' | 'isw' | 'ie';

// Capital letters that `upper` of their small letter does not return.
const OTHER_CAPITALS = 'İǅǈǋǲϴẞ\u2126\u212A\u212B';

// ILIKE compares `lower` of both sides. It changes letter by letter, except in databases with the rules of ICU or of full Unicode.
const BY_LETTER = sql`(SELECT datlocprovider = 'c' OR to_jsonb(d) ->> 'datlocale' IN ('C', 'C.UTF-8')
  FROM pg_database d WHERE datname = current_database())`;

/** What an index of trigrams needs of a value. */
const INDEXED = { ic: /[\p{L}\p{N}]{3}/u, isw: /[\p{L}\p{N}]/u, ie: /[\p{L}\p{N}]/u };

/**
 * SQL condition that a text contains, begins with or equals one of some values, in upper or lower case: what ILIKE says.
 *
 * Where no index of trigrams helps, every record is compared. ILIKE would unpack a text and change its case once per value, which
 * takes 1.5 s for 93 MB, and its time can grow with the product of the lengths. A regular expression in which each letter stands
 * with its capitals reads the text once.
 * @param column SQL of the text
 * @param hasIndex whether the text has an index of trigrams
 */
export function textCondition(
  column: string,
  operator: TextOperator,
  values: readonly string[],
  hasIndex: boolean,
): Sql {
  const text = raw(column);
  const likes = values.map((value) => pattern(operator, value));
  const like = likes.length === 1 ? sql`${text} ILIKE ${likes[0]}::text` : sql`${text} ILIKE ANY(${likes}::text[])`;
  if (hasIndex && values.every((value) => INDEXED[operator].test(value))) return like;
  const found = sql`${text} ~ ${withCapitals(expression(operator, values))}`;
  return sql`CASE WHEN ${BY_LETTER} THEN ${found} ELSE ${like} END`;
}

function expression(operator: TextOperator, values: readonly string[]): string {
  const literals = values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  return operator === 'ic' ? literals : operator === 'isw' ? `^(?:${literals})` : `^(?:${literals})$`;
}

/** SQL of a regular expression in which each letter stands for itself and for the letters whose small letter it is. */
const withCapitals = (text: string): Sql => sql`(
  WITH letters AS MATERIALIZED (
    SELECT letter, place FROM regexp_split_to_table(lower(${text}::text), '') WITH ORDINALITY letters (letter, place)
  ), classes AS (
    SELECT letter, '[' || string_agg(DISTINCT form, '') || ']' AS class
    FROM (SELECT DISTINCT letter FROM letters) letters,
      unnest(ARRAY[letter, upper(letter)] || regexp_split_to_array(${literal(OTHER_CAPITALS)}, '')) form
    WHERE lower(form) = letter GROUP BY letter HAVING count(DISTINCT form) > 1
  )
  SELECT coalesce(string_agg(coalesce(class, letter), '' ORDER BY place), '') FROM letters LEFT JOIN classes USING (letter))`;
