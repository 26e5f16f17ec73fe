import { raw, type Sql, sql } from '../database/sql.js';
import { unstorable } from '../fields/types/text.js';

// Each text is compared with every record, in upper and lower case.
export const MOST_CHARACTERS = 255;
export const MOST_WORDS = 16;
export const MOST_TEXTS = 16;

/** Why a text is too long for a search; undefined if it is not. */
export const tooLong = (text: string): string | undefined =>
  [...text].length > MOST_CHARACTERS ? `must have at most ${MOST_CHARACTERS} characters` : undefined;

/** Why a text cannot be searched for; undefined if it can. */
export const searchFault = (text: string): string | undefined =>
  unstorable(text) ??
  tooLong(text) ??
  (text.trim().split(/\s+/).length > MOST_WORDS ? `must have at most ${MOST_WORDS} words` : undefined);

/** The text as it is, and in the Unicode normal forms. A record may have either: й is one character, or и and a breve. */
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

/** A value without such a part cannot use the trigram index. */
const INDEXED = { ic: /[\p{L}\p{N}]{3}/u, isw: /[\p{L}\p{N}]/u, ie: /[\p{L}\p{N}]/u };

/**
 * SQL condition that a text contains, begins with or equals one of some values, ignoring case, as ILIKE does. Without a trigram index,
 * every record is compared with each value. The case of the text is then changed once, not once per value.
 * @param column SQL of the text
 * @param hasIndex whether the text has a trigram index
 */
export function textCondition(
  column: string,
  operator: TextOperator,
  values: readonly string[],
  hasIndex: boolean,
): Sql {
  const text = raw(column);
  const likes = values.map((value) => pattern(operator, value));
  if (likes.length === 1) return sql`${text} ILIKE ${likes[0]}::text`;
  if (hasIndex && values.every((value) => INDEXED[operator].test(value)))
    return sql`${text} ILIKE ANY(${likes}::text[])`;
  return sql`lower(${text}) LIKE ANY(ARRAY(SELECT lower(value) FROM unnest(${likes}::text[]) value))`;
}
