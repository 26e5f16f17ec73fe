import { mayReadSecrets, type Caller } from '../auth/access.js';
import type { Database } from '../database/database.js';
import type { SecretBox } from './secret-box.js';

/** What the service of every resource is given. */
export class Kernel {
  constructor(
    readonly db: Database,
    readonly secrets: SecretBox,
  ) {}

  /** A record's JSON text as the caller may see it: its secrets opened for managers, null for others. */
  reveal(json: string, properties: readonly string[], caller: Caller): string {
    if (properties.length === 0) return json;
    const record = JSON.parse(json) as Record<string, string | null>;
    for (const property of properties) {
      const sealed = record[property];
      record[property] = sealed && mayReadSecrets(caller) ? this.secrets.open(sealed) : null;
    }
    return JSON.stringify(record);
  }
}
