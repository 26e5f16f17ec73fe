import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DefinitionStore } from '../fields/custom/definition-store.js';
import type { Definitions } from '../fields/custom/defined-fields.js';
import { onceDone, onceFor } from '../http/once.js';
import { JSON_TYPE } from '../http/replies.js';
import { send, sendFault, type Query, type Served } from '../http/static-response.js';
import { fastifyOf } from '../http/server/fastify.js';

/** JSON that depends on the fields that the installation has defined. A request may ask for a part of it. */
export interface OfInstallation<P = never> {
  /** The part that a query string asks for; undefined for all. @throws ValidationFailed */
  partOf?(query: Query): P | undefined;
  /** Used if there are no custom fields. */
  withoutAny(part?: P): Promise<Served>;
  /** @param seesOperations whether the names of records of operations may be shown */
  made(definitions: Definitions, seesOperations: boolean, closed?: readonly unknown[], part?: P): Promise<Served>;
  /** Further definitions of the installation that it depends on. An empty list counts as none. */
  closed?(): Promise<readonly unknown[]>;
}

/** Cached parts, and the results for other definitions. */
const MOST_KEPT = 8;

/**
 * Serves such JSON to all logged-in callers. It is generated before the service listens, and again at the first request after a change
 * of the definitions. So the client that made a change sees it, and no other request waits.
 */
export function serveOfInstallation<P>(
  app: NestFastifyApplication,
  path: string,
  { partOf, withoutAny, made, closed: closedNow }: OfInstallation<P>,
  store: DefinitionStore,
): void {
  const without = onceDone(() => withoutAny());
  const ofDefinitions = onceFor((definitions: Definitions) => ({
    open: onceDone(() => made(definitions, true)),
    closed: onceDone(() => made(definitions, false)),
  }));
  // The latest result for each set of definitions.
  const keptWith = onceFor((_definitions: Definitions) => new Map<string, Promise<Served>>());
  const servedWith = (definitions: Definitions, sees: boolean, told: readonly unknown[], part?: P): Promise<Served> => {
    const kept = keptWith(definitions);
    const key = JSON.stringify([sees, told, part]);
    const isPublished = definitions.isEmpty && told.length === 0;
    const served = kept.get(key) ?? (isPublished ? withoutAny(part) : made(definitions, sees, told, part));
    if (!kept.has(key) && kept.size >= MOST_KEPT) kept.clear();
    served.catch(() => kept.delete(key));
    kept.set(key, served);
    return served;
  };
  const fastify = fastifyOf(app);
  const config = { access: { role: 'viewer' }, takesQuery: partOf !== undefined } as const;
  fastify.get(path, { config }, async (request, reply) => {
    let part: P | undefined;
    try {
      part = partOf?.(request.query as Query);
    } catch (error) {
      return sendFault(request, reply, error);
    }
    const definitions = await store.current();
    const { seesOperations } = definitions.seenBy(request.caller);
    const told = (await closedNow?.()) ?? [];
    if (told.length > 0 || part !== undefined) {
      const served = await servedWith(definitions, seesOperations, told, part);
      return send(request, reply, { type: JSON_TYPE, served, cacheControl: 'private, no-cache' });
    }
    const { open, closed } = definitions.isEmpty ? { open: without, closed: without } : ofDefinitions(definitions);
    const served = await (seesOperations ? open() : closed());
    return send(request, reply, { type: JSON_TYPE, served, cacheControl: 'private, no-cache' });
  });
  fastify.addHook('onListen', async () => {
    const definitions = await store.current();
    if (definitions.isEmpty) return;
    ofDefinitions(definitions)
      .open()
      .catch((err: unknown) => fastify.log.error({ err, path }, 'A document of the installation could not be made'));
  });
}
