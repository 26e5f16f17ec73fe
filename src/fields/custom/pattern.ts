/*
 * The subset of patterns that RE2 and PostgreSQL share: literals, classes, anchors, groups, alternation and greedy repetition. Patterns
 * are parsed here, so that the service, the database and the document interpret them alike. RE2 matches any pattern in time that is
 * linear in the length of the text.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Ranges of code points, as first and last. */
type Ranges = readonly (readonly [number, number])[];

type Node =
  | { kind: 'set'; ranges: Ranges; isNegated: boolean }
  | { kind: 'start' | 'end' }
  | { kind: 'sequence'; parts: readonly Node[] }
  | { kind: 'choice'; parts: readonly Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number };

const MAX_LENGTH = 255;
/** Maximum number of repetitions in PostgreSQL. */
const MAX_COUNT = 255;
const MAX_DEPTH = 50;
/** Most instructions. */
const MAX_SIZE = 1000;
const TOO_LARGE = 'is too large: it repeats too much';
const LAST = 0x10ffff;

const code = (character: string): number => character.codePointAt(0)!;
const range = (first: string, last = first): readonly [number, number] => [code(first), code(last)];

const DIGITS: Ranges = [range('0', '9')];
const WORD: Ranges = [range('0', '9'), range('A', 'Z'), range('_'), range('a', 'z')];
const SPACE: Ranges = [[9, 10], [12, 13], range(' ')];
const CLASSES: Readonly<Record<string, Ranges>> = { d: DIGITS, w: WORD, s: SPACE };
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, f: 12, r: 13 };
const POSIX: Readonly<Record<string, Ranges>> = {
  alnum: [range('0', '9'), range('A', 'Z'), range('a', 'z')],
  alpha: [range('A', 'Z'), range('a', 'z')],
  digit: DIGITS,
  lower: [range('a', 'z')],
  upper: [range('A', 'Z')],
  space: [[9, 13], range(' ')],
  xdigit: [range('0', '9'), range('A', 'F'), range('a', 'f')],
};

class Refused extends Error {}

/** The complement of the ranges. */
function complementOf(ranges: Ranges): Ranges {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    if (first > next) rest.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

class Reader {
  private readonly characters: readonly string[];
  private at = 0;
  private depth = 0;

  constructor(pattern: string) {
    this.characters = [...pattern];
  }

  read(): Node {
    const node = this.choice();
    if (this.at < this.characters.length) throw new Refused(`has a ')' without a '('`);
    return node;
  }

  private get next(): string | undefined {
    return this.characters[this.at];
  }

  private takes(text: string): boolean {
    if (this.characters.slice(this.at, this.at + text.length).join('') !== text) return false;
    this.at += text.length;
    return true;
  }

  private choice(): Node {
    const parts = [this.sequence()];
    while (this.takes('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.next !== undefined && this.next !== '|' && this.next !== ')') parts.push(this.repeated());
    return { kind: 'sequence', parts };
  }

  private repeated(): Node {
    const part = this.single();
    const times = this.times();
    if (!times) return part;
    if (part.kind === 'start' || part.kind === 'end') throw new Refused('must not repeat an anchor');
    if (this.next === '?' || this.next === '+' || this.next === '*' || (this.next === '{' && this.counted())) {
      throw new Refused('must have at most one repetition after an element, which must be greedy');
    }
    return { kind: 'repeat', part, ...times };
  }

  private times(): { min: number; max: number } | undefined {
    if (this.takes('*')) return { min: 0, max: Infinity };
    if (this.takes('+')) return { min: 1, max: Infinity };
    if (this.takes('?')) return { min: 0, max: 1 };
    if (this.next !== '{') return undefined;
    const found = this.counted();
    // A single brace is a literal in one of the two dialects and an error in the other.
    if (!found) throw new Refused(`must escape a '{' that is not a repetition: '\\{'`);
    const [whole, least, comma, most] = found;
    this.at += whole.length;
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Infinity : Number(most);
    if (min > MAX_COUNT || (max !== Infinity && max > MAX_COUNT))
      throw new Refused(`must repeat at most ${MAX_COUNT} times`);
    if (max < min) throw new Refused('must not have a repetition whose maximum is below its minimum');
    return { min, max };
  }

  private counted(): RegExpExecArray | null {
    return /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.characters.slice(this.at, this.at + 12).join(''));
  }

  private single(): Node {
    const character = this.characters[this.at++]!;
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return this.bracket();
      case '.':
        return { kind: 'set', ranges: [range('\n')], isNegated: true };
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '\\':
        return { kind: 'set', ...this.escaped() };
      case '*':
      case '+':
      case '?':
      case '{':
        throw new Refused('must not begin with a repetition');
      case '}':
      case ']':
        throw new Refused(`must escape '${character}': '\\${character}'`);
      default:
        return { kind: 'set', ranges: [range(character)], isNegated: false };
    }
  }

  private group(): Node {
    if (++this.depth > MAX_DEPTH) throw new Refused(`must have at most ${MAX_DEPTH} nested groups`);
    if (this.next === '?' && !this.takes('?:')) throw new Refused('must have plain groups only: (…) or (?:…)');
    const node = this.choice();
    if (!this.takes(')')) throw new Refused(`has a '(' without a ')'`);
    this.depth--;
    return node;
  }

  private escaped(): { ranges: Ranges; isNegated: boolean } {
    const character = this.characters[this.at++];
    if (character === undefined) throw new Refused('must not end with a backslash');
    const known = CLASSES[character.toLowerCase()];
    if (known && /[dwsDWS]/.test(character)) return { ranges: known, isNegated: character !== character.toLowerCase() };
    const control = CONTROLS[character];
    if (control !== undefined) return { ranges: [[control, control]], isNegated: false };
    if (/[A-Za-z0-9]/.test(character) || code(character) > 0x7f) {
      throw new Refused(`must not have '\\${character}'`);
    }
    return { ranges: [range(character)], isNegated: false };
  }

  private bracket(): Node {
    const isNegated = this.takes('^');
    const ranges: (readonly [number, number])[] = [];
    for (let isFirst = true; ; isFirst = false) {
      if (this.next === undefined) throw new Refused(`has a '[' without a ']'`);
      if (this.next === ']' && !isFirst) break;
      const from = this.member();
      const isRange =
        this.next === '-' && this.characters[this.at + 1] !== ']' && this.characters[this.at + 1] !== undefined;
      if (!isRange) {
        ranges.push(...from);
        continue;
      }
      this.at++;
      const to = this.member();
      if (!isOne(from) || !isOne(to)) throw new Refused('has a character range with a class, such as \\d-z');
      if (to[0][0] < from[0][0]) throw new Refused('has a character range in the wrong order, such as z-a');
      ranges.push([from[0][0], to[0][0]]);
    }
    this.at++;
    return { kind: 'set', ranges, isNegated };
  }

  /** A character or a class within brackets. */
  private member(): Ranges {
    const named = /^\[:(\^?)([a-z]+):\]/.exec(this.characters.slice(this.at, this.at + 12).join(''));
    if (named) {
      const [whole, not, name = ''] = named;
      const ranges = POSIX[name];
      if (not !== '' || !ranges) throw new Refused(`must not have the class ${whole}`);
      this.at += whole.length;
      return ranges;
    }
    const character = this.characters[this.at++]!;
    if (character === '[' && /[.:=]/.test(this.next ?? '')) throw new Refused(`must escape '[' within brackets: '\\['`);
    if (character !== '\\') return [range(character)];
    const { ranges, isNegated } = this.escaped();
    return isNegated ? complementOf(ranges) : ranges;
  }
}

const isOne = (ranges: Ranges): ranges is readonly [readonly [number, number]] =>
  ranges.length === 1 && ranges[0]![0] === ranges[0]![1];

/** One character as both PostgreSQL and ECMAScript in Unicode mode read it. */
function written(point: number, isInBrackets = false): string {
  const character = String.fromCodePoint(point);
  if (point < 0x20 || point === 0x7f) return `\\u${point.toString(16).padStart(4, '0')}`;
  return /[\\^$.*+?()[\]{}|/]/.test(character) || (isInBrackets && character === '-') ? `\\${character}` : character;
}

/** The pattern as an expression that PostgreSQL and ECMAScript interpret alike. */
function sourceOf(node: Node): string {
  switch (node.kind) {
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'sequence':
      return node.parts.map((part) => (part.kind === 'choice' ? `(?:${sourceOf(part)})` : sourceOf(part))).join('');
    case 'choice':
      return node.parts.map(sourceOf).join('|');
    case 'repeat': {
      const { part, min, max } = node;
      const times =
        max === Infinity
          ? min === 0
            ? '*'
            : min === 1
              ? '+'
              : `{${min},}`
          : min === 0 && max === 1
            ? '?'
            : `{${min},${max}}`;
      return `${part.kind === 'set' ? sourceOf(part) : `(?:${sourceOf(part)})`}${times}`;
    }
    case 'set': {
      const { ranges, isNegated } = node;
      if (!isNegated && isOne(ranges)) return written(ranges[0][0]);
      const members = ranges.map(([first, last]) =>
        first === last ? written(first, true) : `${written(first, true)}-${written(last, true)}`,
      );
      return `[${isNegated ? '^' : ''}${members.join('')}]`;
    }
  }
}

/** Number of instructions of a pattern: one for each element, multiplied by its repetitions, and one for each branch. */
function sizeOf(node: Node): number {
  switch (node.kind) {
    case 'set':
    case 'start':
    case 'end':
      return 1;
    case 'sequence':
      return node.parts.reduce((size, part) => size + sizeOf(part), 0);
    case 'choice':
      return node.parts.reduce((size, part) => size + sizeOf(part) + 1, 1);
    case 'repeat': {
      const [{ min, max }, size] = [node, sizeOf(node.part)];
      return min * size + (max === Infinity ? size + 2 : (max - min) * (size + 1));
    }
  }
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
  const node = new Reader(pattern).read();
  const size = sizeOf(node);
  if (size > MAX_SIZE) throw new Refused(TOO_LARGE);
  const source = sourceOf(node);
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
