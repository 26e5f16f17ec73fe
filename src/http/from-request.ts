import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The request as a parameter of a handler. A pipe converts it to the type that the handler takes. */
export const FromRequest = createParamDecorator((_data, context: ExecutionContext) =>
  context.switchToHttp().getRequest<FastifyRequest>(),
);
