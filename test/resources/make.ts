import type { Api } from '../support/app.js';
import type { Row } from './row.js';
import { rows } from './rows.js';

export interface Made {
  id: string;
  path: string;
}

let networks = 0;

/** An IPv4 network of length 24 that no call before has returned. */
function newNetwork(): string {
  networks++;
  return `10.${networks >> 8}.${networks & 255}.0/24`;
}

/** Creates records of any resource, including the records that they refer to. */
export class Maker {
  private count = 0;

  constructor(
    private readonly admin: Api,
    private readonly prefix: string,
  ) {}

  /** The values of a row with its references created: `→/api/people` is the id of a new person, `∎` a unique text and `⌗` a network. */
  async values(values: Record<string, unknown>): Promise<Record<string, unknown>> {
    const entries = Object.entries(values).map(async ([name, value]) => {
      if (typeof value !== 'string') return [name, value] as const;
      if (value === '⌗') return [name, newNetwork()] as const;
      if (!value.startsWith('→')) return [name, value.replaceAll('∎', () => `${this.prefix}${this.count++}`)] as const;
      const [path, ...more] = value.slice(1).split(' ');
      return [name, (await this.record(path!, JSON.parse(more.join(' ') || '{}'))).id] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  /** The smallest body that creates a record of a row. */
  async required(row: Row): Promise<Record<string, unknown>> {
    // Only in request bodies.
    const password = row.area === 'admin' && { password: 'a passphrase of the truth 1' };
    return { ...(await this.values(row.required)), ...password };
  }

  /** Path of a row's collection, with its owner created. */
  async collection(row: Row): Promise<string> {
    const owner = /^(.*)\/\{.*?\}(\/.*)$/.exec(row.path);
    return owner ? `${(await this.record(owner[1]!, row.ofOwner)).path}${owner[2]}` : row.path;
  }

  /** A new record of the collection of this path, with its required fields and others. */
  async record(path: string, more: object = {}): Promise<Made> {
    const row = rows.find((candidate) => candidate.path === path)!;
    const collection = await this.collection(row);
    const { id } = await this.admin.make(collection, { ...(await this.required(row)), ...more });
    return { id, path: `${collection}/${id}` };
  }
}
