import { mayReadSecrets, type Caller } from '../auth/access.js';
import type { Database } from '../database/database.js';
import { RecordCounts } from './record-counts.js';
import type { SecretBox } from './secret-box.js';

type SealedRecord = Record<string, string | null>;

/** What the service of every resource is given. */
export class Kernel {
  constructor(
    readonly db: Database,
    readonly secrets: SecretBox,
  ) {
    this.counts = new RecordCounts(db);
  }

  readonly counts: RecordCounts;

  /** A record's JSON text, or that of an array of them, as the caller may see it: its secrets opened for managers, null for others. */
  reveal(json: string, properties: readonly string[], caller: Caller): string {
    if (properties.length === 0) return json;
    const given = JSON.parse(json) as SealedRecord | SealedRecord[];
    for (const record of Array.isArray(given) ? given : [given]) {
      for (const property of properties) {
        const sealed = record[property];
        record[property] = sealed && mayReadSecrets(caller) ? this.secrets.open(sealed) : null;
      }
    }
    return JSON.stringify(given);
  }
}
