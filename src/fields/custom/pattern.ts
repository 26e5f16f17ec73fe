/*
 * The subset of patterns that RE2, PostgreSQL and ECMAScript share: literals, classes, anchors, groups, alternation and greedy
 * repetition. A pattern is translated token by token into an expression that the three read alike. What one of them reads differently
 * is refused. RE2 matches any pattern in time that is linear in the length of the text.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';

const MAX_LENGTH = 255;
/** Maximum number of repetitions in PostgreSQL. */
const MAX_COUNT = 255;
const MAX_DEPTH = 50;
/** Most instructions. */
const MAX_SIZE = 1000;
const TOO_LARGE = 'is too large: it repeats too much';

/** An escape, a bracket expression, a repetition, the start of a group, or another character. */
const TOKEN = /\\.?|\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]|([*+?]|\{\d{1,4}(?:,\d{0,4})?\})|\((?:\?:?)?|./gsu;
/** A member of a bracket expression: a character, a class, or the first and the last character of a range. */
const MEMBER = /(\[(?::\^?[a-z]+:\]|[.:=])?|\\?.)(?:-(\[(?::\^?[a-z]+:\]|[.:=])?|\\?.))?/gsu;

type Texts = Readonly<Record<string, string>>;

/** Members of brackets that a class stands for. A negated class is written as its complement. */
const CLASSES: Texts = {
  '\\d': '0-9',
  '\\w': '0-9A-Z_a-z',
  '\\s': '\\u0009-\\u000a\\u000c-\\u000d ',
  '\\D': '\\u0000-\\/:-\u{10ffff}',
  '\\W': '\\u0000-\\/:-@\\[-\\^`\\{-\u{10ffff}',
  '\\S': '\\u0000-\\u0008\\u000b\\u000e-\\u001f!-\u{10ffff}',
  '[:alnum:]': '0-9A-Za-z',
  '[:alpha:]': 'A-Za-z',
  '[:digit:]': '0-9',
  '[:lower:]': 'a-z',
  '[:upper:]': 'A-Z',
  '[:space:]': '\\u0009-\\u000d ',
  '[:xdigit:]': '0-9A-Fa-f',
};
const CONTROLS: Texts = { '\\t': '\t', '\\n': '\n', '\\f': '\f', '\\r': '\r' };
const SIGNS: Texts = { '*': '{0,}', '+': '{1,}', '?': '{0,1}' };
const OPERATORS: Texts = { '^': '^', $: '$', '|': '|', ')': ')', '(': '(?:', '(?:': '(?:', '.': '[^\\u000a]' };
/** Faults of tokens. A single brace or bracket is a literal in one of the dialects and an error in another. */
const FAULTS: Texts = {
  '\\': 'must not end with a backslash',
  '(?': 'must have plain groups only: (…) or (?:…)',
  '[': "has a '[' without a ']'",
  '{': "must escape a '{' that is not a repetition: '\\{'",
  '}': "must escape '}': '\\}'",
  ']': "must escape ']': '\\]'",
};

const BEGINNING = 'must not begin with a repetition';
const ANCHOR = 'must not repeat an anchor';
/** Faults of a repetition after a token. */
const UNREPEATABLE: Texts = { '(': BEGINNING, '(?:': BEGINNING, '|': BEGINNING, '^': ANCHOR, $: ANCHOR };
const TWICE = 'must have at most one repetition after an element, which must be greedy';

class Refused extends Error {}

/** The character that a token stands for, which may be an escape. */
function characterOf(token: string): string {
  if (token in CONTROLS) return CONTROLS[token]!;
  if (/^\\(?:[A-Za-z0-9]|[^\0-\x7f])/.test(token)) throw new Refused(`must not have '${token}'`);
  return token.replace(/^\\(?=.)/su, '');
}

/** A character as PostgreSQL reads it, and ECMAScript in Unicode mode. */
function written(character: string, isInBrackets = false): string {
  const point = character.codePointAt(0)!;
  if (point < 0x20 || point === 0x7f) return `\\u${point.toString(16).padStart(4, '0')}`;
  return /[\\^$.*+?()[\]{}|/]/.test(character) || (isInBrackets && character === '-') ? `\\${character}` : character;
}

function bracketsOf(token: string): string {
  const members = token.replace(/^\[\^?/, '').slice(0, -1);
  if (members === '') throw new Refused(FAULTS['[']!);
  const start = token.startsWith('[^') ? '[^' : '[';
  return `${start}${members.replaceAll(MEMBER, (_, first: string, last?: string) => membersOf(first, last))}]`;
}

function membersOf(first: string, last?: string): string {
  const strange = [first, last].find((member) => member?.startsWith('[') && member !== '[' && !(member in CLASSES));
  if (strange?.endsWith(']')) throw new Refused(`must not have the class ${strange}`);
  if (strange !== undefined) throw new Refused("must escape '[' within brackets: '\\['");
  if (last === undefined) return CLASSES[first] ?? written(characterOf(first), true);
  if (first in CLASSES || last in CLASSES) throw new Refused('has a character range with a class, such as \\d-z');
  const [from, to] = [characterOf(first), characterOf(last)];
  if (to.codePointAt(0)! >= from.codePointAt(0)!) return `${written(from, true)}-${written(to, true)}`;
  throw new Refused('has a character range in the wrong order, such as z-a');
}

/** A repetition as all three read it, its most times, and how many of them are optional. */
function repetitionOf(token: string): [source: string, most: number, optional: number] {
  const [, least, comma = '', most = ''] = /^\{(\d+)(?:(,)(\d*))?\}$/.exec(SIGNS[token] ?? token)!;
  const min = Number(least);
  const max = comma === '' ? min : most === '' ? Infinity : Number(most);
  if (min > MAX_COUNT || (max > MAX_COUNT && max < Infinity)) {
    throw new Refused(`must repeat at most ${MAX_COUNT} times`);
  }
  if (max < min) throw new Refused('must not have a repetition whose maximum is below its minimum');
  const source = token in SIGNS ? token : `{${min}${comma}${most === '' ? '' : max}}`;
  return max === Infinity ? [source, Math.max(min, 1), 1] : [source, max, max - min];
}

/** @returns the expression and its number of instructions: one for each repetition of an element, and one for each branch */
function translate(pattern: string): { source: string; size: number } {
  let source = '';
  /** Sizes of the whole, of the open groups, and of the element before. */
  const sizes = [0];
  let last = 0;
  let fault: string | undefined = BEGINNING;
  for (const [token, repetition] of pattern.matchAll(TOKEN)) {
    if (repetition !== undefined) {
      if (fault !== undefined) throw new Refused(fault);
      const [times, most, optional] = repetitionOf(repetition);
      source += times;
      sizes[sizes.length - 1]! += last * (most - 1) + optional;
      fault = TWICE;
      continue;
    }
    source += elementOf(token);
    fault = UNREPEATABLE[token];
    if (token === '(' || token === '(?:') {
      if (sizes.push(0) > MAX_DEPTH + 1) throw new Refused(`must have at most ${MAX_DEPTH} nested groups`);
      continue;
    }
    last = token === ')' ? sizes.pop()! : 1;
    if (sizes.length === 0) throw new Refused("has a ')' without a '('");
    sizes[sizes.length - 1]! += last;
  }
  if (sizes.length > 1) throw new Refused("has a '(' without a ')'");
  return { source, size: sizes[0]! };
}

function elementOf(token: string): string {
  if (token in FAULTS) throw new Refused(FAULTS[token]!);
  if (token in OPERATORS) return OPERATORS[token]!;
  if (token.startsWith('[')) return bracketsOf(token);
  if (!/^\\[dws]$/i.test(token)) return written(characterOf(token));
  const plain = token.toLowerCase();
  return `[${token === plain ? '' : '^'}${CLASSES[plain]!}]`;
}

interface Pattern {
  /** The same as an expression that PostgreSQL and ECMAScript interpret alike. */
  source: string;
  /**
   * Whether the pattern matches somewhere in a text. A match that would take too long is left to the database, which has the same rule.
   * The result is then true.
   */
  test(value: string): boolean;
}

/** Maximum steps of all matches in one turn of the event loop. They take a tenth of a second. */
const MOST_STEPS = 1_000_000;
let steps = 0;

/** Whether the service itself performs this match now. */
function affords(size: number, { length }: string): boolean {
  if (steps === 0) setImmediate(() => void (steps = 0));
  steps += size * length + 1;
  return steps <= MOST_STEPS;
}

/** @returns why a pattern is invalid */
export function patternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** @throws Error for a pattern that `patternFault` refuses. No definition has one */
export function compilePattern(pattern: string): Pattern {
  if ([...pattern].length > MAX_LENGTH) throw new Refused(`must be at most ${MAX_LENGTH} characters long`);
  const { source, size } = translate(pattern);
  if (size > MAX_SIZE) throw new Refused(TOO_LARGE);
  const expression = matcherOf(source);
  return { source, test: (value) => !affords(size, value) || expression.test(value) };
}

function matcherOf(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    // The library also counts repetitions of an empty element.
    if (error instanceof RE2JSSyntaxException) throw new Refused(TOO_LARGE);
    throw error;
  }
}
