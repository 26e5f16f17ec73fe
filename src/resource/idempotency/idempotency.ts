import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Executor } from '../../database/executor.js';
import type { InTransaction } from '../../lists/request-context.js';
import { Secrets } from '../../access/secrets.js';
import { routePath } from '../../http/api-path.js';
import { DomainError, invalid } from '../../http/errors.js';
import { ActionReply, PlainReply, RecordReply } from '../../http/replies.js';
import { KEY_REUSED, TakesIdempotencyKey } from '../../openapi/operation.js';
import { AddRouteConfig } from '../../http/route-config.js';
import { sql, write } from '../../database/sql.js';
import { LOCKS, tryLock } from '../../database/locks.js';

/** A reply that can be stored for a key. A record with a property that is shown only once cannot be stored. */
type StorableReply = RecordReply | PlainReply | ActionReply | void;

/** `Idempotent` for a handler whose type is not known where it becomes a route. */
export const takesKeys: MethodDecorator = (...handler) => {
  TakesIdempotencyKey(...handler);
  AddRouteConfig({ takesKey: true })(...handler);
};

/**
 * Makes the handler of a POST accept an `Idempotency-Key`. Without this decorator the header has no effect, as on every route whose
 * body or response has a secret.
 */
export const Idempotent =
  () =>
  <T extends StorableReply>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<(...parameters: never[]) => Promise<T>>,
  ): void =>
    takesKeys(target, key, descriptor) as void;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler takes an `Idempotency-Key`. */
    takesKey?: boolean;
  }
}

const IS_EXPIRED = sql`created_at < now() - interval '24 hours'`;

/** A stored response. Its secrets are still encrypted, so that a retry shows only what its caller may see. */
type StoredResponse =
  | {
      kind: 'record';
      id: string;
      json: string;
      secrets: readonly string[];
      version?: string;
      beside?: RecordReply['surroundings']['beside'];
    }
  | { kind: 'plain'; json: string; status?: 202; beside?: string; etag?: string }
  | { kind: 'action'; pieces: readonly string[]; secrets: readonly string[] }
  | { kind: 'none' };

/** A key of a request, with what it was sent for. */
export interface RequestKey {
  /** That of the caller, the route and the key. */
  name: string;
  profileId: string;
  route: string;
  key: string;
  digest: string;
}

/**
 * Makes it safe to retry a POST with an `Idempotency-Key`. Its writes and its stored response are committed in one transaction, so that
 * one never exists without the other.
 */
@Injectable()
export class IdempotencyKeys {
  /** Keys of requests that are running in this process. An advisory lock covers other replicas. */
  private readonly atWork = new Set<string>();

  constructor(@Inject(Secrets) private readonly secrets: Secrets) {}

  /** The key of a request; undefined if it has none, or its route takes none. @throws ValidationFailed */
  keyOf(request: FastifyRequest): RequestKey | undefined {
    if (!request.routeOptions.config.takesKey || request.headers['idempotency-key'] === undefined) return undefined;
    const key = keyIn(request);
    const { profileId } = request.caller!;
    const route = routePath(request);
    const digest = this.secrets.digest(sentText(request));
    return { name: JSON.stringify([profileId, route, key]), profileId, route, key, digest };
  }

  /** Runs work. No other request with the key runs at the same time. @throws DomainError conflict */
  async alone<T>({ name }: RequestKey, work: () => Promise<T>): Promise<T> {
    if (this.atWork.has(name)) throw stillRunning();
    this.atWork.add(name);
    try {
      return await work();
    } finally {
      this.atWork.delete(name);
    }
  }

  /**
   * Takes the key until the transaction ends.
   * @returns the stored reply of an earlier request, if there is one
   * @throws DomainError conflict, idempotency_key_reused
   */
  async find({ db }: InTransaction, key: RequestKey): Promise<{ reply: StorableReply } | undefined> {
    if (!(await tryLock(db, LOCKS.named(key.name)))) throw stillRunning();
    const { profileId, route, key: text } = key;
    await db.write(
      write`DELETE FROM idempotency_keys WHERE profile_id = ${profileId} AND route = ${route} AND key = ${text} AND ${IS_EXPIRED}`,
    );
    const [stored] = await db.query<{ digest: string; answer: string }>(
      sql`SELECT body_digest AS digest, answer FROM idempotency_keys WHERE profile_id = ${profileId} AND route = ${route} AND key = ${text}`,
    );
    if (stored && stored.digest !== key.digest) throw new DomainError('idempotency_key_reused', KEY_REUSED);
    return stored && { reply: restore(JSON.parse(stored.answer) as StoredResponse) };
  }

  async store({ db }: InTransaction, { profileId, route, key, digest }: RequestKey, reply: unknown): Promise<void> {
    const made = reply as StorableReply;
    if (made?.kind === 'action' && made.dryRun) return;
    await db.write(
      write`INSERT INTO idempotency_keys (profile_id, route, key, body_digest, answer) VALUES (${profileId}, ${route}, ${key}, ${digest}, ${JSON.stringify(storable(made))})`,
    );
  }
}

/** The body and the query parameters, if any. A request with another of either is a different request. */
function sentText({ body, query }: FastifyRequest): string {
  const parameters = Object.entries(query as object).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(parameters.length === 0 ? (body ?? null) : [body ?? null, parameters]);
}

const stillRunning = (): DomainError =>
  new DomainError('conflict', 'A request with this Idempotency-Key is still running');

function keyIn(request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  // One value, of visible ASCII as all header values are.
  if (typeof key !== 'string' || key.length === 0 || key.length > 255 || !/^[\x20-\x7e]+$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 characters of visible ASCII');
  }
  return key;
}

export const pruneIdempotencyKeys = (db: Executor): Promise<unknown> =>
  db.write(write`DELETE FROM idempotency_keys WHERE ${IS_EXPIRED} RETURNING key`);

function storable(reply: StorableReply): StoredResponse {
  switch (reply?.kind) {
    case undefined:
      return { kind: 'none' };
    case 'record': {
      const { id, json, secrets } = reply;
      const { version, once, beside } = reply.surroundings;
      if (once) throw new Error('A response that shows a secret once takes no Idempotency-Key');
      return { kind: 'record', id, json, secrets, version, beside };
    }
    case 'plain':
      return { kind: 'plain', json: reply.json, status: reply.status, beside: reply.beside, etag: reply.etag };
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
      return new PlainReply(answer.json, answer.status, answer.beside, answer.etag);
    case 'action':
      return new ActionReply(answer.pieces, answer.secrets);
  }
}
