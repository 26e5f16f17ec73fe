import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Executor, Transaction } from '../../database/executor.js';
import { Secrets } from '../../access/secrets.js';
import { routePath } from '../../http/api-path.js';
import { DomainError, invalid } from '../../http/errors.js';
import { ActionReply, PlainReply, RecordReply } from '../../http/replies.js';
import { KEY_REUSED, TakesIdempotencyKey } from '../../openapi/operation.js';
import { ImportQueue, untilUnlocked } from '../import/import-queue.js';
import { sql, write } from '../../database/sql.js';
import { LOCKS, tryLock } from '../../database/locks.js';

/** A reply that can be stored for a key. A record with a property that is shown once cannot. */
export type StorableReply = RecordReply | PlainReply | ActionReply | void;

/** `Idempotent` for a handler whose type is not known where it becomes a route. */
export const takesKeys: MethodDecorator = (...handler) => {
  TakesIdempotencyKey(...handler);
  UseInterceptors(IdempotencyInterceptor)(...handler);
};

/**
 * The handler of a POST takes an `Idempotency-Key`. Without this decorator the header has no effect, as on every route whose body or
 * response has a secret.
 */
export const Idempotent =
  () =>
  <T extends StorableReply>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<(...parameters: never[]) => Promise<T>>,
  ): void =>
    takesKeys(target, key, descriptor) as void;

const IS_EXPIRED = sql`created_at < now() - interval '24 hours'`;

/** A stored response. Its secrets are still encrypted, so that a repetition shows what its caller may see. */
type StoredResponse =
  | { kind: 'record'; id: string; json: string; secrets: readonly string[]; version?: string }
  | { kind: 'plain'; json: string }
  | { kind: 'action'; pieces: readonly string[]; secrets: readonly string[] }
  // What the first version stored of values that are not texts yet.
  | { kind: 'value'; value: unknown }
  | { kind: 'none' };

/**
 * Makes a POST with an `Idempotency-Key` safe to repeat. Its writes and its stored response are committed in one transaction, so
 * that there is never one without the other.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  /** Keys of requests of this module that are running in this process. An advisory lock covers other replicas. */
  private readonly atWork = new Set<string>();

  constructor(
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(ImportQueue) private readonly imports: ImportQueue,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const work = (): Promise<StorableReply> => lastValueFrom(next.handle());
    if (request.headers['idempotency-key'] !== undefined)
      return from(this.once(keyOf(request), request, http.getResponse<FastifyReply>(), work));
    return request.routeOptions.config.takesFile ? from(this.inTurn(request, work)) : next.handle();
  }

  /**
   * An import waits for its turn after its key is known to be at work, and before its transaction begins, which would hold a connection
   * meanwhile. The lock of an import is waited for without the transaction too.
   */
  private inTurn<T>({ routeOptions, caller, raw }: FastifyRequest, work: () => Promise<T>): Promise<T> {
    if (!routeOptions.config.takesFile) return work();
    return this.imports.run(caller!, () => untilUnlocked(work, () => raw.socket.destroyed));
  }

  private async once(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<StorableReply>,
  ): Promise<StorableReply> {
    const { profileId } = request.caller!;
    const db = request.db!;
    const route = routePath(request);
    const digest = this.secrets.digest(sentText(request));
    const name = JSON.stringify([profileId, route, key]);
    if (this.atWork.has(name)) throw stillRunning();
    this.atWork.add(name);
    try {
      const inTransaction = async (tx: Transaction): Promise<StorableReply> => {
        if (!(await tryLock(tx, LOCKS.named(name)))) throw stillRunning();
        const stored = await find(tx, profileId, route, key);
        if (stored) {
          if (stored.digest !== digest) {
            throw new DomainError('idempotency_key_reused', KEY_REUSED);
          }
          void reply.header('idempotency-replayed', 'true');
          return restore(JSON.parse(stored.answer) as StoredResponse);
        }
        request.db = tx;
        const result = await work();
        if (result?.kind === 'action' && result.dryRun) return result;
        await tx.write(
          write`INSERT INTO idempotency_keys (profile_id, route, key, body_digest, answer) VALUES (${profileId}, ${route}, ${key}, ${digest}, ${JSON.stringify(store(result))})`,
        );
        return result;
      };
      return await this.inTurn(request, () => db.transaction(inTransaction));
    } finally {
      request.db = db;
      this.atWork.delete(name);
    }
  }
}

/** The body and the query parameters, if any. A request with another of either is a different request. */
function sentText({ body, query }: FastifyRequest): string {
  const parameters = Object.entries(query as object).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(parameters.length === 0 ? (body ?? null) : [body ?? null, parameters]);
}

const stillRunning = (): DomainError =>
  new DomainError('conflict', 'A request with this Idempotency-Key is still running');

function keyOf(request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  // One value, of visible ASCII as all header values are.
  if (typeof key !== 'string' || key.length === 0 || key.length > 255 || !/^[\x20-\x7e]+$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 characters of visible ASCII');
  }
  return key;
}

async function find(
  tx: Transaction,
  profileId: string,
  route: string,
  key: string,
): Promise<{ digest: string; answer: string } | undefined> {
  await tx.write(
    write`DELETE FROM idempotency_keys WHERE profile_id = ${profileId} AND route = ${route} AND key = ${key} AND ${IS_EXPIRED}`,
  );
  const [stored] = await tx.query<{ digest: string; answer: string }>(
    sql`SELECT body_digest AS digest, answer FROM idempotency_keys WHERE profile_id = ${profileId} AND route = ${route} AND key = ${key}`,
  );
  return stored;
}

export const pruneIdempotencyKeys = (db: Executor): Promise<unknown> =>
  db.write(write`DELETE FROM idempotency_keys WHERE ${IS_EXPIRED} RETURNING key`);

function store(reply: StorableReply): StoredResponse {
  switch (reply?.kind) {
    case undefined:
      return { kind: 'none' };
    case 'record': {
      const { id, json, secrets } = reply;
      const { version, once } = reply.surroundings;
      if (once) throw new Error('A response that shows a secret once takes no Idempotency-Key');
      return { kind: 'record', id, json, secrets, version };
    }
    case 'plain':
      return { kind: 'plain', json: reply.json };
    case 'action':
      return { kind: 'action', pieces: reply.pieces, secrets: reply.secrets };
  }
}

function restore(answer: StoredResponse): StorableReply {
  switch (answer.kind) {
    case 'none':
      return undefined;
    case 'record':
      return new RecordReply(answer.id, answer.json, answer.secrets, answer);
    case 'plain':
      return new PlainReply(answer.json);
    case 'action':
      return new ActionReply(answer.pieces, answer.secrets);
    case 'value':
      return PlainReply.of(answer.value);
  }
}
