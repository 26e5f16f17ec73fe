import type { Executor } from '../database/database.js';
import { PART_BYTES, type Resource } from '../projection/resource.js';
import type { AnswerMemory } from '../answers/answer-memory.js';
import type { JsonRow } from './resource.service.js';

interface Waiter {
  resolve(row: JsonRow | undefined): void;
  reject(error: unknown): void;
}

// A statement serves several callers, so the limit per caller does not apply to it, only that of the whole memory.
const EVERYBODY = '';

type Waiters = Map<string, Waiter[]>;

// Concurrent statements. Requests that arrive meanwhile wait for the next one: the more requests, the more records a statement
// reads, and the less each of them costs.
const AT_ONCE = 2;
/** Longest wait in milliseconds for running statements, which may be stuck. */
const PATIENCE = 20;

/**
 * Reads records by id. Requests in the same turn of the event loop, or while other statements run, share one statement: under
 * load, most of the cost of reading one record is the round trip to the database.
 */
export class RecordLoader {
  private waiting: Waiters = new Map();
  /** Most records of the next statement. After a statement whose records were too long for it, as many as it could read. */
  private most = Infinity;
  private underWay = 0;
  private patience?: NodeJS.Timeout;

  constructor(
    private readonly db: Executor,
    private readonly memory: AnswerMemory,
    private readonly resource: Resource,
  ) {}

  /** @param caller for whom it is read @throws DomainError unavailable */
  async load(id: string, caller: string): Promise<JsonRow | undefined> {
    if (this.memory.isFull(caller)) await this.memory.room(caller);
    return new Promise((resolve, reject) => this.wait(id, [{ resolve, reject }]));
  }

  private wait(id: string, more: Waiter[]): void {
    if (this.waiting.size === 0) setImmediate(() => this.begin());
    const waiters = this.waiting.get(id);
    if (waiters) waiters.push(...more);
    else this.waiting.set(id, more);
  }

  private begin(): void {
    if (this.waiting.size === 0) return;
    if (this.underWay < AT_ONCE) void this.read();
    else this.patience ??= setTimeout(() => void this.read(), PATIENCE);
  }

  private async read(): Promise<void> {
    clearTimeout(this.patience);
    this.patience = undefined;
    this.underWay++;
    try {
      await this.readNext();
    } finally {
      this.underWay--;
      this.begin();
    }
  }

  private async readNext(): Promise<void> {
    const waiting = this.next();
    const { table } = this.resource;
    const ids = [...waiting.keys()];
    try {
      if (this.memory.isFull(EVERYBODY)) await this.memory.room(EVERYBODY);
      const rows = await (ids.length === 1
        ? this.db.query<JsonRow>(this.resource.selectJson(table, 'WHERE t.id = $1'), ids)
        : this.db.query<JsonRow | Unread>(this.several(), [ids]));
      const read = rows.filter(({ json }) => json !== null).length;
      this.most = read < rows.length ? read : this.most * 2;
      for (const row of rows) {
        const waiters = waiting.get(row.id)!;
        waiting.delete(row.id);
        if (row.json === null) this.wait(row.id, waiters);
        else for (const { resolve } of waiters) resolve(row);
      }
      for (const waiters of waiting.values()) for (const { resolve } of waiters) resolve(undefined);
    } catch (error) {
      for (const waiters of waiting.values()) for (const { reject } of waiters) reject(error);
    }
  }

  /** The waiting requests that the next statement serves. */
  private next(): Waiters {
    const all = this.waiting;
    this.waiting = new Map();
    if (all.size <= this.most) return all;
    const entries = [...all];
    for (const [id, waiters] of entries.slice(this.most)) this.wait(id, waiters);
    return new Map(entries.slice(0, this.most));
  }

  /** SQL of several records. Beyond `PART_BYTES` they come without their text, except the first one, and the next statement reads them. */
  private several(): string {
    return `SELECT id, CASE WHEN sum(octet_length(json)) OVER (ROWS UNBOUNDED PRECEDING) - octet_length(json) <= ${PART_BYTES} THEN json END AS json
      FROM (${this.resource.selectJson(this.resource.table, 'WHERE t.id = ANY($1)')} OFFSET 0) records`;
  }
}

interface Unread {
  id: string;
  json: null;
}
