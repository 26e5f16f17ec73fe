import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The request as a parameter of a handler, of which a pipe makes what the handler takes. */
export const FromRequest = createParamDecorator((_data, context: ExecutionContext) =>
  context.switchToHttp().getRequest<FastifyRequest>(),
);
