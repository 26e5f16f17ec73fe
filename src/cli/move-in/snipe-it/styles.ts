import type { DateStyle, DecimalSign } from '../../../page/browser/importing/values.js' with {
  'resolution-mode': 'import',
};
import type { Raw } from './raw.js';

type Reading = typeof import('../../../page/browser/importing/values.js', { with: { 'resolution-mode': 'import' } });

const DATES = [
  ...['purchase_date', 'warranty_expires', 'asset_eol_date', 'expected_checkin', 'next_audit_date', 'last_checkout'],
  ...['last_checkin', 'last_audit_date', 'expiration_date', 'termination_date', 'start_date', 'end_date'],
];
const FLAGS = ['requestable', 'byod', 'maintained', 'reassignable', 'remote', 'vip'];

/** Detects how the files of a source write dates and prices, from all values of a file. */
export class Styles {
  /** Different values of dates and of prices, by list. */
  private readonly seen = new Map<string, { dates: Set<string>; prices: Set<string> }>();
  private readonly found = new Map<string, { dates: DateStyle; sign: DecimalSign }>();

  private constructor(private readonly reading: Reading) {}

  static async create(): Promise<Styles> {
    return new Styles(await import('../../../page/browser/importing/values.js'));
  }

  see({ list, fields }: Raw): void {
    let seen = this.seen.get(list);
    if (!seen) this.seen.set(list, (seen = { dates: new Set(), prices: new Set() }));
    for (const name of DATES) if (fields[name] !== undefined) seen.dates.add(fields[name]);
    if (fields.purchase_cost !== undefined) seen.prices.add(fields.purchase_cost);
  }

  /** Normalises the dates, prices and flags of a row. Must be called after all rows have been seen. */
  interpret(raw: Raw): Raw {
    const { dateOf, numberOf } = this.reading;
    const { dates, sign } = this.of(raw.list);
    const { fields, changes } = raw;
    const read = (field: string, parse: (text: string) => string | undefined, why: string): void => {
      const text = fields[field];
      if (text === undefined) return;
      const value = parse(text);
      if (value !== undefined) fields[field] = value;
      else {
        changes.push([field, `left out: '${text}' ${why}`]);
        delete fields[field];
      }
    };
    for (const field of DATES) read(field, (text) => dateOf(text, dates), 'is no date');
    read('purchase_cost', (text) => numberOf(text, sign), 'is no price');
    for (const field of FLAGS) read(field, flagOf, 'is neither yes nor no');
    return raw;
  }

  private of(list: string): { dates: DateStyle; sign: DecimalSign } {
    let found = this.found.get(list);
    if (!found) {
      const { dates = [], prices = [] } = this.seen.get(list) ?? {};
      found = { dates: this.reading.dateStyleOf(dates), sign: this.reading.decimalSignOf(prices) };
      this.found.set(list, found);
      this.seen.delete(list);
    }
    return found;
  }
}

const flagOf = (text: string): string | undefined =>
  /^(?:1|true|yes|y|on|x|✔)$/i.test(text) ? 'true' : /^(?:0|false|no|n|off|-|✘)$/i.test(text) ? 'false' : undefined;
