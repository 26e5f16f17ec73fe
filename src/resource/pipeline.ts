import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasRole } from '../access/access.js';
import { Secrets } from '../access/secrets.js';
import { isCustomFault, refusalOf } from '../database/database-errors.js';
import { Transaction, type Executor } from '../database/executor.js';
import { DefinitionStore } from '../fields/custom/definition-store.js';
import {
  isAboutCustomFields,
  type Definitions,
  type DefinedFields,
  NO_FIELDS,
} from '../fields/custom/defined-fields.js';
import { announce } from '../http/deprecation.js';
import { DomainError } from '../http/errors.js';
import { onceFor } from '../http/once.js';
import { versionsIn } from '../http/replies.js';
import { Envelope } from '../http/server/envelope.js';
import { deprecatedUses } from '../openapi/deprecated-uses.js';
import type { OperationDocument } from '../openapi/operation.js';
import { contextOf, RequestContext } from '../lists/request-context.js';
import { IdempotencyKeys, type RequestKey } from './idempotency/idempotency.js';
import { ImportQueue, untilUnlocked } from './import/import-queue.js';

/** Runs the handler of a request. Its parameters are created then, in the context of the request. */
type Work = () => Promise<unknown>;

/**
 * The steps of a request after its body has arrived, in this order: context, turn, key, handler, stored reply, envelope. The hooks of
 * `app.setup.ts` run before.
 */
@Injectable()
export class Pipeline {
  private readonly envelope: Envelope;
  private readonly usesOf = onceFor((operation: OperationDocument) =>
    deprecatedUses(operation, this.modules, NO_FIELDS),
  );

  constructor(
    @Inject(DefinitionStore) private readonly definitions: DefinitionStore,
    @Inject(ImportQueue) private readonly imports: ImportQueue,
    @Inject(IdempotencyKeys) private readonly keys: IdempotencyKeys,
    @Inject(Secrets) secrets: Secrets,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {
    this.envelope = new Envelope((json, properties, { caller }) => secrets.reveal(json, properties, caller!));
  }

  async serve(request: FastifyRequest, reply: FastifyReply, work: Work): Promise<unknown> {
    const timing = new Timing();
    this.announceUses(request, reply);
    const ctx = await timing.of('context', () => this.begin(request));
    request.ctx = ctx;
    const key = this.keys.keyOf(request);
    const handle = (on: RequestContext): Promise<unknown> => {
      request.ctx = on;
      return timing.of('handler', work);
    };
    const handled = (): Promise<unknown> => (key ? this.idempotent(ctx, key, timing, reply, handle) : handle(ctx));
    const inTurn = (): Promise<unknown> => this.inTurn(request, timing, handled);
    try {
      const result = await (key ? this.keys.alone(key, inTurn) : inTurn());
      const body = await timing.of('envelope', () => this.envelope.bodyOf(result, request, reply));
      if (request.caller && hasRole(request.caller, 'admin')) void reply.header('server-timing', String(timing));
      return body;
    } catch (error) {
      throw await this.refusalOf(error, request);
    }
  }

  /** Adds the headers about deprecated parameters or properties of the request. */
  private announceUses(request: FastifyRequest, reply: FastifyReply): void {
    const { operation } = request.routeOptions.config;
    const uses = operation ? this.usesOf(operation)(request) : [];
    if (uses.length === 0) return;
    request.deprecatedUses = uses;
    announce(
      reply,
      uses.map(({ deprecation }) => deprecation),
    );
  }

  /** With the current custom fields. Public routes need no custom fields, and work without a database. */
  private async begin(request: FastifyRequest): Promise<RequestContext> {
    const { caller, id, db, headers } = request;
    const seen = (definitions: Definitions): DefinedFields => definitions.seenBy(caller);
    const current = caller ? this.definitions.current() : NO_FIELDS.definitions;
    return new RequestContext(caller, id, db!, seen(current instanceof Promise ? await current : current), {
      versions: versionsIn(headers['if-match']),
      accept: headers.accept,
      reread: async (on: Executor) =>
        seen(await (on instanceof Transaction ? this.definitions.seenBy(on) : this.definitions.reread())),
    });
  }

  /**
   * An import waits for its turn after its key was checked, and before its transaction begins, which would hold a connection. It also
   * waits for the lock of an import outside the transaction.
   */
  private inTurn({ routeOptions, caller, raw }: FastifyRequest, timing: Timing, work: Work): Promise<unknown> {
    if (!routeOptions.config.takesFile) return work();
    const admitted = timing.begin('turn');
    return this.imports.run(caller!, () => {
      admitted();
      return untilUnlocked(work, () => raw.socket.destroyed);
    });
  }

  /** The stored reply for a key, or the reply of the handler. Its writes and its stored reply are one transaction. */
  private idempotent(
    ctx: RequestContext,
    key: RequestKey,
    timing: Timing,
    reply: FastifyReply,
    handle: (on: RequestContext) => Promise<unknown>,
  ): Promise<unknown> {
    return ctx.transaction(async (tx) => {
      const stored = await timing.of('key', () => this.keys.find(tx, key));
      if (stored) {
        void reply.header('idempotency-replayed', 'true');
        return stored.reply;
      }
      const result = await handle(tx);
      await timing.of('store', () => this.keys.store(tx, key, result));
      return result;
    });
  }

  /** The refusal of a handler; another one if the definitions of custom fields have changed since it began. */
  private async refusalOf(error: unknown, request: FastifyRequest): Promise<unknown> {
    const { fields, isFresh } = contextOf(request);
    if (!isCustomFault(error) && (isFresh || !isAboutCustomFields(refusalOf(error)))) return error;
    const now = await this.definitions.reread();
    if (now.isSameAs(fields.definitions)) return error;
    return new DomainError('definitions_changed', undefined, { headers: { 'retry-after': '0' } });
  }
}

/** The duration of each step in milliseconds. A retried step counts once. */
class Timing {
  private readonly steps = new Map<string, number>();

  async of<T>(name: string, step: () => T | Promise<T>): Promise<T> {
    const end = this.begin(name);
    const result = await step();
    end();
    return result;
  }

  /** @returns a function that ends the step */
  begin(name: string): () => void {
    const began = performance.now();
    return () => void this.steps.set(name, (this.steps.get(name) ?? 0) + performance.now() - began);
  }

  /** As the header `Server-Timing` has it. */
  toString(): string {
    return [...this.steps].map(([name, duration]) => `${name};dur=${duration.toFixed(2)}`).join(', ');
  }
}
