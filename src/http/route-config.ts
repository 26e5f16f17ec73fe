import 'reflect-metadata';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

const OWN = Symbol('route config');

/** Adds to the configuration that Fastify keeps for a route. Nest's own decorator would replace the existing configuration. */
export function AddRouteConfig(config: Partial<FastifyContextConfig>): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const merged = { ...routeConfigOf(descriptor.value as object), ...config };
    Reflect.defineMetadata(OWN, merged, descriptor.value as object);
    RouteConfig(merged)(target, key, descriptor);
  };
}

export const routeConfigOf = (handler: object): Partial<FastifyContextConfig> =>
  (Reflect.getMetadata(OWN, handler) as Partial<FastifyContextConfig> | undefined) ?? {};
