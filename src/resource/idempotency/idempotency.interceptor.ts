import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Executor, Transaction } from '../../database/executor.js';
import { Secrets } from '../../access/secrets.js';
import { routePath } from '../../http/api-path.js';
import { DomainError, invalid } from '../../http/errors.js';
import { ActionReply, PlainReply, RecordReply } from '../../http/replies.js';
import { AddRouteConfig } from '../../http/route-config.js';
import { ImportQueue, untilUnlocked } from '../import/import-queue.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False if the body of the route has a secret, so that no response may be stored. */
    takesKeys?: boolean;
  }
}

/** A POST that accepts no `Idempotency-Key`, because its body has a secret. */
export const TakesNoKeys = (): MethodDecorator => AddRouteConfig({ takesKeys: false });

const MAX_AGE = `interval '24 hours'`;

/** A stored response. Its secrets are still encrypted, so that a repetition shows what its caller may see. */
type StoredResponse =
  | { kind: 'record'; id: string; json: string; secrets: readonly string[]; version?: string; location?: string }
  | { kind: 'plain'; json: string }
  | { kind: 'action'; pieces: readonly string[]; secrets: readonly string[] }
  | { kind: 'value'; value: unknown }
  | { kind: 'none' };

/**
 * Makes a POST with an `Idempotency-Key` safe to repeat. Its writes and its stored response are committed in one transaction, so
 * that there is never one without the other.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  /** Keys of requests that are running in this process. An advisory lock covers other replicas. */
  private readonly atWork = new Set<string>();

  constructor(
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(ImportQueue) private readonly imports: ImportQueue,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { takesKeys, takesFile } = request.routeOptions.config;
    const work = (): Promise<unknown> => lastValueFrom(next.handle());
    if (request.method === 'POST' && request.headers['idempotency-key'] !== undefined && takesKeys !== false) {
      const reply = context.switchToHttp().getResponse<FastifyReply>();
      return from(this.once(keyOf(request), request, reply, work));
    }
    return takesFile ? from(this.inTurn(request, work)) : next.handle();
  }

  /** An import waits for its turn before its transaction begins. Within the transaction it would hold a connection meanwhile. */
  private inTurn<T>({ routeOptions, caller }: FastifyRequest, work: () => Promise<T>): Promise<T> {
    return routeOptions.config.takesFile ? this.imports.run(caller!, work) : work();
  }

  private async once(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const { profileId } = request.caller!;
    const db = request.db!;
    const route = routePath(request);
    const digest = this.secrets.digest(sentText(request));
    const name = JSON.stringify([profileId, route, key]);
    if (this.atWork.has(name)) throw stillRunning();
    this.atWork.add(name);
    try {
      const inTransaction = async (tx: Transaction): Promise<unknown> => {
        const [lock] = await tx.query<{ free: boolean }>(
          'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free',
          [name],
        );
        if (!lock!.free) throw stillRunning();
        const stored = await find(tx, profileId, route, key);
        if (stored) {
          if (stored.digest !== digest) {
            throw new DomainError(
              'idempotency_key_reused',
              'This Idempotency-Key was already used with another body or other query parameters',
            );
          }
          void reply.header('idempotency-replayed', 'true');
          return restore(JSON.parse(stored.answer) as StoredResponse);
        }
        request.db = tx;
        const result = await work();
        if (result instanceof ActionReply && result.dryRun) return result;
        await tx.write(
          'INSERT INTO idempotency_keys (profile_id, route, key, body_digest, answer) VALUES ($1, $2, $3, $4, $5)',
          [profileId, route, key, digest, JSON.stringify(store(result))],
        );
        return result;
      };
      // The lock of an import is waited for without the transaction.
      const attempt = (): Promise<unknown> => db.transaction(inTransaction);
      return await this.inTurn(request, () => untilUnlocked(attempt, () => request.raw.socket.destroyed));
    } finally {
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
    `DELETE FROM idempotency_keys WHERE profile_id = $1 AND route = $2 AND key = $3 AND created_at < now() - ${MAX_AGE}`,
    [profileId, route, key],
  );
  const [stored] = await tx.query<{ digest: string; answer: string }>(
    'SELECT body_digest AS digest, answer FROM idempotency_keys WHERE profile_id = $1 AND route = $2 AND key = $3',
    [profileId, route, key],
  );
  return stored;
}

/** Deletes expired responses. */
export const pruneIdempotencyKeys = (db: Executor): Promise<unknown> =>
  db.write(`DELETE FROM idempotency_keys WHERE created_at < now() - ${MAX_AGE} RETURNING key`);

function store(result: unknown): StoredResponse {
  if (result === undefined) return { kind: 'none' };
  if (result instanceof RecordReply) {
    const { id, json, secrets, version, location, once } = result;
    if (once) throw new Error('An answer that shows a secret once takes no Idempotency-Key');
    return { kind: 'record', id, json, secrets, version, location };
  }
  if (result instanceof PlainReply) return { kind: 'plain', json: result.json };
  if (result instanceof ActionReply) return { kind: 'action', pieces: result.pieces, secrets: result.secrets };
  return { kind: 'value', value: result };
}

function restore(answer: StoredResponse): unknown {
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
      return answer.value;
  }
}
