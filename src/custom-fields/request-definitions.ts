import type { CallHandler } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { catchError, from, switchMap, type Observable } from 'rxjs';
import { meets, type Caller } from '../access/access.js';
import { isCustomFault, refusalOf } from '../database/database-errors.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import type { DefinitionStore } from '../fields/custom/definition-store.js';
import { knownDefinitions, withDefinitions, type Definitions } from '../fields/custom/known-fields.js';
import { ValidationFailed } from '../http/errors.js';

/** The custom fields that a request knows. Where there are none, and on routes without a caller, this does nothing. */
export class RequestDefinitions {
  constructor(private readonly store: DefinitionStore) {}

  /** Gives each request the custom fields as they are when its handler begins. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('preHandler', ({ caller }, _reply, done) => {
      if (!caller) {
        done();
        return;
      }
      const begin = (definitions: Definitions): void => knowing(definitions, caller, done);
      const current = this.store.current();
      if (current instanceof Promise) current.then(begin, done);
      else begin(current);
    });
  }

  /**
   * Runs the handler of a request, and once more if it was refused because of custom fields and the definitions are others by now: this
   * replica had not been told yet of a change that the client knows.
   */
  run({ caller }: FastifyRequest, next: CallHandler): Observable<unknown> {
    if (!caller) return next.handle();
    const used = knownDefinitions()?.definitions;
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (!isAboutCustomFields(error)) throw error;
        return from(this.store.reread()).pipe(
          switchMap((definitions) => {
            if (definitions === used || (used === undefined && definitions.isEmpty)) throw error;
            return knowing(definitions, caller, () => next.handle());
          }),
        );
      }),
    );
  }
}

/** Runs work that knows these definitions, with the names of records of operations if the caller may see them. */
const knowing = <T>(definitions: Definitions, caller: Caller, run: () => T): T =>
  withDefinitions({ definitions, seesOperations: meets(caller, { role: 'viewer', area: 'operations' }) }, run);

/** Whether other definitions might have led to another result. */
function isAboutCustomFields(error: unknown): boolean {
  if (isCustomFault(error)) return true;
  const refusal = refusalOf(error);
  return refusal instanceof ValidationFailed && refusal.extra.details!.some((fault) => String(fault).includes(CUSTOM));
}
