import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/access.js';
import { type Executor, rehearse, type Transaction } from '../database/executor.js';
import type { DefinedFields } from '../fields/custom/defined-fields.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { compile, type RecordSql } from './record-sql.js';

/** The parts of a request besides its path, query and body. */
interface Surroundings {
  /** The versions in the `If-Match` of a PATCH or DELETE; undefined if any version will do. */
  readonly versions?: readonly string[];
  /** `Accept`, which selects the format of a list. */
  readonly accept?: string;
  /** The custom fields as they are now. */
  reread?(db: Executor): Promise<DefinedFields>;
}

/**
 * Everything that work on behalf of a caller needs. Jobs create their own. It does not change after the work has begun. A transaction
 * has a context of its own.
 */
export class RequestContext<D extends Executor = Executor> {
  /** The logged-in profile and its session or token. Missing on public routes and in jobs only. */
  readonly caller: Caller;
  readonly versions?: readonly string[];
  readonly accept?: string;
  /** Whether the custom fields were read for this work. */
  isFresh = false;

  constructor(
    caller: Caller | undefined,
    /** The id that the log and `X-Request-Id` show. */
    readonly requestId: string,
    /** Runs the statements. With an `Idempotency-Key`, it is the transaction that stores the response. */
    readonly db: D,
    private defined: DefinedFields,
    private readonly surroundings: Surroundings = {},
  ) {
    this.caller = caller!;
    this.versions = surroundings.versions;
    this.accept = surroundings.accept;
  }

  /** The fields that the installation had defined when the work began. */
  get fields(): DefinedFields {
    return this.defined;
  }

  /** Used by readers of the query or the body, before any work begins. @returns whether the fields have changed */
  async refresh(): Promise<boolean> {
    const now = await this.surroundings.reread?.(this.db);
    this.isFresh = now !== undefined;
    if (!now || now.definitions.isSameAs(this.defined.definitions)) return false;
    this.defined = now;
    return true;
  }

  /** A resource with its custom fields, cached by fields. */
  resource<T extends StoredRecord>(record: Class<T>): RecordSql<T> {
    return compile(record, this.fields.of(record));
  }

  /** The same in a transaction. */
  in(tx: Transaction): InTransaction {
    return new RequestContext(this.caller, this.requestId, tx, this.defined, this.surroundings);
  }

  /** As `Executor.savepoint`. */
  savepoint<T>(work: (tx: InTransaction) => Promise<T>): Promise<T> {
    return this.db.savepoint((tx) => work(this.in(tx)));
  }

  /** Runs work in a transaction, as `Executor.transaction` does. @param dryRun whether it is rolled back */
  transaction<T>(work: (tx: InTransaction) => Promise<T>, dryRun = false): Promise<T> {
    const inside = (tx: Transaction): Promise<T> => work(this.in(tx));
    return dryRun ? rehearse(this.db, inside) : this.db.transaction(inside);
  }
}

/** A context in a transaction. A function that must run in one takes it as its parameter. */
export type InTransaction = RequestContext<Transaction>;

/** The context of a request. It is created when the body has arrived. */
export const contextOf = ({ ctx }: FastifyRequest): RequestContext => ctx as RequestContext;

/** The context of the request, as a parameter of a handler. */
export const Ctx = createParamDecorator((_data: unknown, context: ExecutionContext): RequestContext =>
  contextOf(context.switchToHttp().getRequest()),
);
