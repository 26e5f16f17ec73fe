import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Executor, Transaction } from '../../database/executor.js';
import type { CustomDefinition } from './definition.js';
import { Definitions } from './defined-fields.js';
import { sql } from '../../database/sql.js';

/** Channel on which a trigger notifies of changed definitions (`custom_fields_changed.sql`). */
export const DEFINITION_CHANGES = 'custom_fields';

// If the database cannot notify, a change by another replica is noticed after this time.
const LIFETIME_MS = 1_000;

/** Maximum number of retries if the definitions change while they are read. The next request continues after that. */
const MOST_READS = 5;

const DEFINITIONS = sql`
SELECT coalesce((SELECT json_agg(json_build_object('id', id, 'key', key, 'label', label, 'description', description, 'resources', resources,
    'type', type, 'choices', choices, 'target', target, 'required', required, 'unique', is_unique, 'default', default_value,
    'minimum', minimum, 'maximum', maximum, 'pattern', pattern, 'searched', searched, 'position', position, 'storedAs', stored_as)
    ORDER BY created_at, id) FROM custom_fields), '[]') AS all,
  ARRAY(SELECT DISTINCT unnest(dropped_from) FROM custom_field_names ORDER BY 1) AS dropped`;

/**
 * Cache of the definitions, so that a request needs no query for them. It is filled once, and again when the database notifies of a
 * change. A stale cache cannot store invalid values, because the database enforces the rules.
 */
@Injectable()
export class DefinitionStore {
  private known?: Definitions;
  /** The last result of the query, as text. */
  private text?: string;
  private reading?: Promise<Definitions>;
  private isStale = true;
  private changes = 0;
  private readonly isNotified: boolean;
  private readAt = 0;

  constructor(@Inject(Database) private readonly db: Database) {
    const forget = (): void => this.forget();
    this.isNotified = db.onNotification(DEFINITION_CHANGES, forget, forget);
  }

  /** The next request reads the definitions again. */
  forget(): void {
    this.changes++;
    this.isStale = true;
  }

  /** The definitions, or a promise of them if they have to be read first. */
  current(): Definitions | Promise<Definitions> {
    const isOld = this.isStale || (!this.isNotified && Date.now() - this.readAt > LIFETIME_MS);
    return this.known && !isOld ? this.known : this.read();
  }

  /** The current definitions of the database; the same object as before if nothing has changed. */
  reread(): Promise<Definitions> {
    this.isStale = true;
    return this.read();
  }

  /** The definitions as the transaction sees them. */
  async seenBy(tx: Transaction): Promise<Definitions> {
    const { text, make } = await definitionsOn(tx);
    return this.known && text === this.text ? this.known : make();
  }

  private read(): Promise<Definitions> {
    this.reading ??= this.readNow().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNow(): Promise<Definitions> {
    for (let reads = 1; ; reads++) {
      const { changes } = this;
      const definitions = await this.readOnce();
      // The result may lack a change that happened during the read.
      const isCurrent = changes === this.changes;
      if (!isCurrent && reads < MOST_READS) continue;
      this.isStale = !isCurrent;
      return definitions;
    }
  }

  private async readOnce(): Promise<Definitions> {
    const { text, make } = await definitionsOn(this.db);
    this.readAt = Date.now();
    // Results derived from the definitions, such as the document, are cached with them.
    if (this.known && text === this.text) return this.known;
    this.text = text;
    this.known = make();
    return this.known;
  }
}

async function definitionsOn(db: Pick<Executor, 'query'>): Promise<{ text: string; make: () => Definitions }> {
  const [row] = await db.query<{ all: CustomDefinition[]; dropped: string[] }>(DEFINITIONS);
  return { text: JSON.stringify(row), make: () => new Definitions(row!.all, new Set(row!.dropped)) };
}
