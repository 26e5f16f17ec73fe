import type { Executor } from '../database/database.js';
import type { Resource } from './resource.js';
import type { JsonRow } from './resource.service.js';

interface Waiter {
  resolve(row: JsonRow | undefined): void;
  reject(error: unknown): void;
}

/**
 * Reads records by id. Those that are asked for in the same turn of the event loop, by whichever requests, are read by
 * one statement: under load most of what reading one record costs is the way to the database and back.
 */
export class RecordLoader {
  private waiting = new Map<string, Waiter[]>();

  constructor(
    private readonly db: Executor,
    private readonly resource: Resource,
  ) {}

  load(id: string): Promise<JsonRow | undefined> {
    return new Promise((resolve, reject) => {
      if (this.waiting.size === 0) setImmediate(() => void this.read());
      const waiters = this.waiting.get(id);
      if (waiters) waiters.push({ resolve, reject });
      else this.waiting.set(id, [{ resolve, reject }]);
    });
  }

  private async read(): Promise<void> {
    const { waiting } = this;
    this.waiting = new Map();
    const { table } = this.resource;
    const ids = [...waiting.keys()];
    try {
      const rows = await (ids.length === 1
        ? this.db.query<JsonRow>(this.resource.selectJson(table, 'WHERE t.id = $1'), ids)
        : this.db.query<JsonRow>(this.resource.selectJson(table, 'WHERE t.id = ANY($1)'), [ids]));
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const [id, waiters] of waiting) for (const { resolve } of waiters) resolve(byId.get(id));
    } catch (error) {
      for (const waiters of waiting.values()) for (const { reject } of waiters) reject(error);
    }
  }
}
