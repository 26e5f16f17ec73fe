import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Fault, ValidationFailed } from './errors.js';

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A segment of the path is not an id. */
export class NotAnId extends ValidationFailed {
  constructor(
    readonly parameter: string,
    readonly value: string,
  ) {
    super([new Fault(parameter, 'in the path must be a uuid')]);
  }

  /** Whether the segment is a word, so that the path is probably unknown. A mistyped id has digits. */
  get isWord(): boolean {
    return /^[a-z][a-z_.-]*$/i.test(this.value);
  }
}

/**
 * A path parameter that must be a uuid, in lower case.
 * @throws ValidationFailed
 */
export function pathId(parameters: Record<string, string>, name = 'id'): string {
  const value = parameters[name] ?? '';
  if (!UUID_PATTERN.test(value)) throw new NotAnId(name, value);
  return value.toLowerCase();
}

/**
 * The same as a parameter of a handler; the default name is `id`. Nest reads it before any pipe runs, so that a malformed id is refused
 * before the body is validated.
 */
export const PathId = createParamDecorator((name: string | undefined, context: ExecutionContext) =>
  pathId(context.switchToHttp().getRequest<FastifyRequest>().params as Record<string, string>, name),
);
