import 'reflect-metadata';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

const OWN = Symbol('route config');

/** Adds to the configuration that Fastify keeps with a route; Nest's own decorator would replace what is there. */
export function AddRouteConfig(config: Partial<FastifyContextConfig>): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const merged = { ...(Reflect.getMetadata(OWN, descriptor.value as object) as object | undefined), ...config };
    Reflect.defineMetadata(OWN, merged, descriptor.value as object);
    RouteConfig(merged)(target, key, descriptor);
  };
}
