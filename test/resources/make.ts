import type { Api } from '../support/app.js';
import { rows, type Row } from './contract-rows.js';

export interface Made {
  id: string;
  path: string;
}

/** Makes records of any resource, and first what they refer to. */
export class Maker {
  private count = 0;

  constructor(
    private readonly admin: Api,
    private readonly prefix: string,
  ) {}

  /** The values of a row with its references made: `→/api/people` is the id of a new person, and `∎` is never the same twice. */
  async values(values: Record<string, unknown>): Promise<Record<string, unknown>> {
    const entries = Object.entries(values).map(async ([name, value]) => {
      if (typeof value !== 'string') return [name, value] as const;
      if (!value.startsWith('→')) return [name, value.replaceAll('∎', () => `${this.prefix}${this.count++}`)] as const;
      return [name, (await this.record(value.slice(1))).id] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  /** Path of a row's collection, with its owner made. */
  async collection(row: Row): Promise<string> {
    const owner = /^(.*)\/\{.*?\}(\/.*)$/.exec(row.path);
    return owner ? `${(await this.record(owner[1]!)).path}${owner[2]}` : row.path;
  }

  /** A new record of the collection of this path, made of its required fields. */
  async record(path: string): Promise<Made> {
    const row = rows.find((candidate) => candidate.path === path)!;
    const collection = await this.collection(row);
    const unique = row.required.email
      ? { email: `${this.prefix}${this.count++}@example.com`, password: 'a passphrase of the truth 1' }
      : row.required.orderNumber
        ? { orderNumber: `${this.prefix}-${this.count++}` }
        : {};
    const { id } = await this.admin.make(collection, { ...(await this.values(row.required)), ...unique });
    return { id, path: `${collection}/${id}` };
  }
}
