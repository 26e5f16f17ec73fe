import { escapeLiteral } from 'pg';
import type { Database } from './database.js';
import { assertWhole, returning, type Executor, type Transaction } from './executor.js';
import { raw, sql, type Read, type Write } from './sql.js';

/** Setting, local to a transaction, that tells the triggers of the change log who writes. */
const ATTRIBUTION = 'inventory.by';

/** Who makes the changes of a request. */
export interface Attribution {
  /** Absent if the service writes by itself. */
  profileId?: string;
  email?: string;
  requestId?: string;
  /** The token of the request, if it has one. */
  tokenId?: string;
  tokenName?: string;
}

/** The database on behalf of a caller, whom the change log names for everything that is written. */
export class AttributedDatabase implements Executor {
  private json?: string;

  constructor(
    private readonly db: Database,
    private readonly by: Attribution,
  ) {}

  query<R extends object>(statement: Read | string, values?: readonly unknown[]): Promise<R[]> {
    return this.db.query(statement, values);
  }

  plan<R extends object>(statement: Read | string, values?: readonly unknown[]): Promise<R[]> {
    return this.db.plan(statement, values);
  }

  /**
   * The setting is made by the statement itself, so that it costs no round trip. PostgreSQL evaluates the condition once, before
   * anything is written. The setting lasts until the statement's own transaction ends.
   */
  write<R extends object>(statement: Write | string, values?: readonly unknown[], select?: string): Promise<R[]> {
    if (typeof statement === 'string') {
      const given = values ?? [];
      const text = `SELECT result.* FROM (${select ?? 'SELECT * FROM written'}) result
        WHERE (SELECT set_config('${ATTRIBUTION}', $${given.length + 1}, true)) IS NOT NULL`;
      return this.db.runWrite(this.by.profileId, {
        text: returning(statement, text),
        values: [...given, this.text],
      });
    }
    assertWhole(statement.whole, values, select);
    const selected = statement.selected ?? raw('SELECT * FROM written');
    const attributed = sql`SELECT result.* FROM (${selected}) result
      WHERE (SELECT set_config(${raw(`'${ATTRIBUTION}'`)}, ${this.text}, true)) IS NOT NULL`;
    return this.db.runWrite(this.by.profileId, statement.select(attributed).whole);
  }

  /** The setting is sent with BEGIN as one message, so that it costs no round trip. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const begin = `BEGIN; SELECT set_config('${ATTRIBUTION}', ${escapeLiteral(this.text)}, true)`;
    return this.db.runTransaction(this.by.profileId, begin, work);
  }

  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  /** Made on demand, because reads do not need it. */
  private get text(): string {
    return (this.json ??= JSON.stringify(this.by));
  }
}
