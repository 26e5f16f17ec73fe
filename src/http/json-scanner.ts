import { DomainError } from './errors.js';

/** Levels of objects and arrays in a body. */
export const MAX_NESTING = 32;
/** Values in a body: properties of objects and elements of arrays. */
export const MAX_VALUES = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the levels and the values of a JSON text while it arrives, so that a text which would take seconds or too much memory to
 * parse is refused before it is parsed, or even read. It does not find out whether the text is valid.
 */
export class JsonScanner {
  private levels = 0;
  private values = 0;
  private isInString = false;
  private isEscaped = false;

  constructor(private readonly maxValues = MAX_VALUES) {}

  /** @throws DomainError validation */
  scan(bytes: Buffer): void {
    for (let at = this.isInString ? this.endOfString(bytes, 0) : 0; at < bytes.length; at++) {
      switch (bytes[at]) {
        case QUOTE:
          at = this.endOfString(bytes, at + 1) - 1;
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          this.values++;
          if (++this.levels > MAX_NESTING) throw tooMuch(`is nested deeper than ${MAX_NESTING} levels`);
          break;
        case COMMA:
          this.values++;
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.levels--;
          break;
        default:
      }
      if (this.values > this.maxValues) throw tooMuch(`has more than ${this.maxValues.toLocaleString('en')} values`);
    }
  }

  /** The position after the end of a string, which may be in a later chunk. */
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

const tooMuch = (what: string): DomainError => new DomainError('validation', `The body ${what}`);
