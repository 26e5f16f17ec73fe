import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalid } from './errors.js';

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A path parameter that must be a uuid, in lower case.
 * @throws ValidationFailed
 */
export function pathId(parameters: Record<string, string>, name = 'id'): string {
  const value = parameters[name] ?? '';
  if (!UUID_PATTERN.test(value)) throw invalid(name, 'in the path must be a uuid');
  return value.toLowerCase();
}

/**
 * The same as a parameter of a handler, `id` where it is given no name. Nest reads it before any pipe runs, so that a
 * malformed id is refused before the body is judged.
 */
export const PathId = createParamDecorator((name: string | undefined, context: ExecutionContext) =>
  pathId(context.switchToHttp().getRequest<FastifyRequest>().params as Record<string, string>, name),
);
