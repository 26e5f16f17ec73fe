import { Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import 'reflect-metadata';
import type { Class } from '../fields/field.js';
import { TagGroup } from '../openapi/tags.js';
import { controlledBy, type ControlledResource } from './resource.definition.js';

interface FamilyDefinition extends Pick<ModuleMetadata, 'providers' | 'exports' | 'imports'> {
  /** Heading of the family's resources in Swagger UI. */
  title: string;
  /** In the order in which the document shows them. `Family` provides the services of the resources among them. */
  controllers: Type[];
  /** Entities that have no resource of their own. */
  entities?: readonly Class[];
}

const ENTITIES = Symbol('entities of a family');
const RESOURCES = Symbol('resources of a family');

/** Makes a class the Nest module of a family: its resources are those of its controllers. */
export function Family({ title, entities = [], ...metadata }: FamilyDefinition): ClassDecorator {
  return (target) => {
    const resources = metadata.controllers.flatMap((controller) => controlledBy(controller) ?? []);
    const providers = [...(metadata.providers ?? []), ...resources.map(({ service }) => service)];
    const tables = [...new Set([...resources.map(({ record }) => record), ...entities])];
    const imports = [...(metadata.imports ?? []), TypeOrmModule.forFeature([...tables])];
    Module({ ...metadata, imports, providers })(target);
    TagGroup(title)(target);
    Reflect.defineMetadata(RESOURCES, resources, target);
    Reflect.defineMetadata(ENTITIES, tables, target);
  };
}

/** The resources of a family, in the order of the document. */
export const resourcesOf = (family: Type): readonly ControlledResource[] =>
  Reflect.getMetadata(RESOURCES, family) as ControlledResource[];

/** The entities of a family, one for each of its tables. */
export const entitiesOf = (family: Type): readonly Class[] => Reflect.getMetadata(ENTITIES, family) as Class[];
