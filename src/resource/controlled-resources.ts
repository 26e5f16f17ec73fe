import type { ModulesContainer } from '@nestjs/core';
import { snakeCase } from '../database/naming.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { controlledBy, type ControlledResource } from './resource.definition.js';

/** A resource of the application, and the path of its records. A part's path is the prefix, the id of its owner, the infix and its own id. */
export interface ReachableResource {
  record: Class<StoredRecord>;
  controlled: ControlledResource;
  prefix: string;
  infix: string;
  /** Column that refers to the owner of a part. */
  owner?: string;
}

/** The resources of the application, without flat lists that show the records of another resource. */
export const ownResources = (modules: ModulesContainer): ReachableResource[] =>
  controlledResources(modules).filter(({ controlled }) => !controlled.flat);

/** The resources of an application of these modules. */
export const controlledResources = (modules: ModulesContainer): ReachableResource[] =>
  [...modules.values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => reachableBy(metatype as object)),
  );

function reachableBy(controller: object): ReachableResource[] {
  const controlled = controlledBy(controller);
  if (!controlled) return [];
  const [prefix, infix = ''] = controlled.path.split(':id');
  const path = controlled.owner
    ? { prefix: `/${prefix}`, infix: `${infix}/`, owner: snakeCase(controlled.owner.field) }
    : { prefix: `/${prefix}/`, infix };
  return [{ record: controlled.record, controlled, ...path }];
}
