import { AddRouteConfig } from './route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler parses the query string. Every other route refuses one. */
    takesQuery?: boolean;
  }
}

export const TakesQuery = (): MethodDecorator => AddRouteConfig({ takesQuery: true });
