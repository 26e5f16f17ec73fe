import { AddRouteConfig } from './route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler parses the query string, or clients may send any. All other routes refuse one. */
    takesQuery?: boolean;
  }
}

export const TakesQuery = (): ClassDecorator & MethodDecorator => AddRouteConfig({ takesQuery: true });
