import { Module, type ModuleMetadata, type Type } from '@nestjs/common';
import 'reflect-metadata';
import type { Class } from '../fields/field.js';
import { TagGroup } from '../openapi/tags.js';
import { recordOf } from './resource.controller.js';

interface FamilyDefinition extends Pick<ModuleMetadata, 'providers' | 'exports' | 'imports'> {
  /** Heading of the family's resources in Swagger UI. */
  title: string;
  /** In the order in which the document shows them. */
  controllers: Type[];
  /** Entities that have no resource of their own. */
  entities?: readonly Class[];
}

const ENTITIES = Symbol('entities of a family');

/** Makes a class the Nest module of a family: its resources are those of its controllers. */
export function Family({ title, entities = [], ...metadata }: FamilyDefinition): ClassDecorator {
  return (target) => {
    Module(metadata)(target);
    TagGroup(title)(target);
    const records = metadata.controllers.map(recordOf).filter((record) => record !== undefined);
    Reflect.defineMetadata(ENTITIES, [...new Set([...records, ...entities])], target);
  };
}

/** The entities of a family, one for each of its tables. */
export const entitiesOf = (family: Type): readonly Class[] => Reflect.getMetadata(ENTITIES, family) as Class[];
