import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DefinitionStore } from '../fields/custom/definition-store.js';
import type { Definitions } from '../fields/custom/known-fields.js';
import { onceDone, onceFor } from '../http/once.js';
import { JSON_TYPE } from '../http/replies.js';
import { send, type Served } from '../http/static-response.js';
import { fastifyOf } from '../http/server/fastify.js';

/** JSON that depends on the fields that the installation has defined. */
export interface OfInstallation {
  /** Where there are none. */
  withoutAny(): Promise<Served>;
  /** @param seesOperations whether the names of records of operations may be shown */
  made(definitions: Definitions, seesOperations: boolean, closed?: readonly unknown[]): Promise<Served>;
  /** What else the installation has defined that it tells. Where there is nothing, it is as if nobody had asked. */
  closed?(): Promise<readonly unknown[]>;
}

/**
 * Serves such JSON to everybody who is logged in. It is made before the service listens to its first request, and anew when it is first
 * asked for after a change of the definitions: whoever has made a change sees it. Nobody else waits meanwhile.
 */
export function serveOfInstallation(
  app: NestFastifyApplication,
  path: string,
  { withoutAny, made, closed: closedNow }: OfInstallation,
  store: DefinitionStore,
): void {
  const without = onceDone(withoutAny);
  const ofDefinitions = onceFor((definitions: Definitions) => ({
    open: onceDone(() => made(definitions, true)),
    closed: onceDone(() => made(definitions, false)),
  }));
  let last = '';
  // With each of the definitions, for what was told last.
  const withClosed = onceFor((_definitions: Definitions) => new Map<string, Promise<Served>>());
  const servedWith = (definitions: Definitions, sees: boolean, closed: readonly unknown[]): Promise<Served> => {
    const text = JSON.stringify(closed);
    const kept = withClosed(definitions);
    if (text !== last) kept.clear();
    last = text;
    const key = `${sees}${text}`;
    const served = kept.get(key) ?? made(definitions, sees, closed);
    served.catch(() => kept.delete(key));
    kept.set(key, served);
    return served;
  };
  const fastify = fastifyOf(app);
  fastify.get(path, { config: { access: { role: 'viewer' } } }, async (request, reply) => {
    const definitions = await store.current();
    const { seesOperations } = definitions.seenBy(request.caller);
    const told = (await closedNow?.()) ?? [];
    if (told.length > 0) {
      const served = await servedWith(definitions, seesOperations, told);
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
