import { DomainError, invalid } from './errors.js';

/** Levels of objects and arrays in a body. */
export const MAX_NESTING = 32;
/** Values in a body: properties of objects and elements of arrays. */
export const MAX_VALUES = 100_000;
/** Bytes of a property name. Refusals repeat the name. */
export const MAX_NAME = 1_024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Scans a JSON text while it arrives. It refuses texts that would take seconds or too much memory, before they are parsed or even read.
 * It also refuses objects with two values of one name, of which a parser would keep only the last. It does not check the syntax.
 */
export class JsonScanner {
  /** Names of the properties of each open object; undefined for an open array. */
  private readonly open: (Set<string> | undefined)[] = [];
  private values = 0;
  private isInString = false;
  private isEscaped = false;
  /** Whether the next string, or the current one, is a property name. */
  private isName = false;
  /** Bytes of a name that began in an earlier chunk. */
  private begun = '';

  constructor(private readonly maxValues = MAX_VALUES) {}

  /** @throws DomainError validation */
  scan(bytes: Buffer): void {
    for (let at = this.isInString ? this.string(bytes, 0) : 0; at < bytes.length; at++) {
      switch (bytes[at]) {
        case QUOTE:
          at = this.string(bytes, at + 1) - 1;
          break;
        case OPEN_ARRAY:
          this.begin(undefined);
          break;
        case OPEN_OBJECT:
          this.begin(new Set());
          break;
        case COMMA:
          this.values++;
          this.isName = this.open.at(-1) !== undefined;
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.open.pop();
          this.isName = false;
          break;
        default:
      }
      if (this.values > this.maxValues) throw malformed(`has more than ${this.maxValues.toLocaleString('en')} values`);
    }
  }

  private begin(names: Set<string> | undefined): void {
    this.values++;
    this.isName = names !== undefined;
    if (this.open.push(names) > MAX_NESTING) throw malformed(`is nested deeper than ${MAX_NESTING} levels`);
  }

  /** Reads a string, or its rest. @returns the position after its end, which may be in a later chunk */
  private string(bytes: Buffer, from: number): number {
    const end = this.endOfString(bytes, from);
    if (!this.isName) return end;
    this.begun += bytes.toString('latin1', from, this.isInString ? end : end - 1);
    if (this.begun.length > MAX_NAME) {
      throw malformed(`has a name of a property with more than ${MAX_NAME.toLocaleString('en')} bytes`);
    }
    if (!this.isInString) {
      this.add(nameOf(this.begun));
      this.begun = '';
      this.isName = false;
    }
    return end;
  }

  private add(name: string): void {
    const names = this.open.at(-1)!;
    if (names.has(name)) throw invalid(name, 'is given twice');
    names.add(name);
  }

  private endOfString(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at++) {
      if (this.isEscaped) this.isEscaped = false;
      else if (bytes[at] === BACKSLASH) this.isEscaped = true;
      else if (bytes[at] === QUOTE) {
        this.isInString = false;
        return at + 1;
      }
    }
    this.isInString = true;
    return at;
  }
}

export const malformed = (what: string): DomainError => new DomainError('validation', `The body ${what}`);

/** The name that quoted bytes represent: `"a"` and `"\u0061"` are the same. @param bytes one in each character */
function nameOf(bytes: string): string {
  if (!/[\\\u0080-\u00FF]/.test(bytes)) return bytes;
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // The parser will refuse the body.
    return text;
  }
}
