import type { INestApplication } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { AccessRule } from '../../access/access.js';
import { routeConfigOf } from '../../http/route-config.js';
import type { Installation } from '../body.js';
import {
  listIn,
  operationOf,
  queryOf,
  takesIdempotencyKey,
  type DocumentedList,
  type OperationDocument,
} from '../operation.js';
import type { DocumentedParameter } from '../schema.js';
import { sentBy, type Sent } from '../sent-requests.js';
import { tagGroupOf, tagOfController } from '../tags.js';

/** An operation as its handler declares it, with the tag of its controller and the access rule of the handler. */
export interface DeclaredOperation extends Omit<OperationDocument, 'list' | 'query'> {
  list?: DocumentedList;
  /** All query parameters, those of the list too. */
  query: readonly DocumentedParameter[];
  access: AccessRule;
  /** Whether it takes `Idempotency-Key`. */
  idempotent: boolean;
  tag: string;
}

export interface Declarations {
  /** By their ids. */
  operations: ReadonlyMap<string, DeclaredOperation>;
  /** Titles of groups, and their tags with descriptions, in the order of the modules and their controllers. */
  tagGroups: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Requests that the service sends, by the tags of their controllers. */
  sent: ReadonlyMap<string, Sent>;
}

/** Reads the declarations of an application's controllers. Also in preview mode, which makes no instances. */
export function declarationsOf(app: INestApplication, installation: Installation): Declarations {
  const operations = new Map<string, DeclaredOperation>();
  const tagGroups = new Map<string, Map<string, string>>();
  const sent = new Map<string, Sent>();
  const modules = app.get(ModulesContainer);
  for (const [module, controller] of controllersOf(modules)) {
    const declared = declaredBy(controller, modules, installation);
    for (const operation of declared) {
      const { operationId } = operation;
      if (operations.has(operationId)) throw new Error(`Two operations are called ${operationId}`);
      operations.set(operationId, operation);
    }
    const { name, description } = tagOfController(controller) ?? {};
    const sends = sentBy(controller);
    if (sends && name !== undefined) sent.set(name, sends);
    if (declared.length === 0 || name === undefined || description === undefined) continue;
    const title = tagGroupOf(module);
    if (title === undefined) throw new Error(`${module.name}, which has the tag '${name}', has no @TagGroup`);
    const group = tagGroups.get(title) ?? new Map<string, string>();
    tagGroups.set(title, group.set(name, description));
  }
  const described = new Set([...tagGroups.values()].flatMap((tags) => [...tags.keys()]));
  for (const { tag } of operations.values()) {
    if (!described.has(tag)) throw new Error(`Tag '${tag}' has no description`);
  }
  return { operations, tagGroups, sent };
}

interface Named {
  name: string;
}
type Controller = Named & { prototype: Record<string, object> };

function* controllersOf(modules: ModulesContainer): Generator<[module: Named, controller: Controller]> {
  for (const { metatype, controllers } of modules.values()) {
    for (const controller of controllers.values()) yield [metatype, controller.metatype as Controller];
  }
}

function declaredBy(
  controller: Controller,
  modules: ModulesContainer,
  installation: Installation,
): DeclaredOperation[] {
  const handlers = [...new MetadataScanner().getAllMethodNames(controller.prototype)].map(
    (method) => controller.prototype[method]!,
  );
  return handlers.flatMap((handler) => {
    const operation = operationOf(handler);
    if (!operation) return [];
    const { access } = routeConfigOf(handler);
    if (!access) throw new Error(`${operation.operationId} says with no @Access who may use it`);
    const tag = tagOfController(controller);
    if (!tag) throw new Error(`${controller.name} has no @Tag`);
    return [
      {
        ...operation,
        list: listIn(operation, modules, installation),
        query: queryOf(operation, modules, installation),
        access,
        idempotent: takesIdempotencyKey(handler),
        tag: tag.name,
      },
    ];
  });
}
