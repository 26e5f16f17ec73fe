import type { INestApplication } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { accessOf, type AccessRule } from '../access/access.js';
import { operationOf, type OperationDocument } from './operation.js';

/** An operation as its handler declares it, with what the handler asks of its caller. */
export interface DeclaredOperation extends OperationDocument {
  access: AccessRule;
}

/** The operations of the application's controllers, by their ids. Also in preview mode, which makes no instances. */
export function declaredOperations(app: INestApplication): ReadonlyMap<string, DeclaredOperation> {
  const declared = new Map<string, DeclaredOperation>();
  for (const handler of handlersOf(app)) {
    const operation = operationOf(handler);
    if (!operation) continue;
    const { operationId } = operation;
    const access = accessOf(handler);
    if (!access) throw new Error(`${operationId} says with no @Access who may use it`);
    if (declared.has(operationId)) throw new Error(`Two operations are called ${operationId}`);
    declared.set(operationId, { ...operation, access });
  }
  return declared;
}

function* handlersOf(app: INestApplication): Generator<object> {
  const scanner = new MetadataScanner();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      const prototype = (metatype as { prototype: Record<string, object> }).prototype;
      for (const method of scanner.getAllMethodNames(prototype)) yield prototype[method]!;
    }
  }
}
