import { AddRouteConfig } from './route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler parses the query string. All other routes refuse one. */
    takesQuery?: boolean;
  }
}

export const TakesQuery = (): MethodDecorator => AddRouteConfig({ takesQuery: true });
