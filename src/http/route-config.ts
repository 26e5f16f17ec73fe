import 'reflect-metadata';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

const OWN = Symbol('route config');

/**
 * Adds to Fastify's configuration of a route, or of each route that a controller itself declares. A route's own configuration wins.
 * Nest's decorator would replace the existing configuration, and has no effect on a controller.
 */
export function AddRouteConfig(config: Partial<FastifyContextConfig>): ClassDecorator & MethodDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (descriptor) {
      const handler = descriptor.value as object;
      configure(handler, { ...routeConfigOf(handler), ...config });
      return;
    }
    const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(
      (target as { prototype: object }).prototype,
    );
    for (const { value: handler } of Object.values(methods)) {
      if (typeof handler === 'function') configure(handler, { ...config, ...routeConfigOf(handler) });
    }
  };
}

function configure(handler: object, config: Partial<FastifyContextConfig>): void {
  Reflect.defineMetadata(OWN, config, handler);
  RouteConfig(config)(handler as () => unknown);
}

export const routeConfigOf = (handler: object): Partial<FastifyContextConfig> =>
  (Reflect.getMetadata(OWN, handler) as Partial<FastifyContextConfig> | undefined) ?? {};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler parses the query string, or any query string is allowed. All other routes refuse one. */
    takesQuery?: boolean;
  }
}

export const TakesQuery = (): ClassDecorator & MethodDecorator => AddRouteConfig({ takesQuery: true });
