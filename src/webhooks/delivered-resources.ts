import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Area, Caller } from '../access/access.js';
import { mayReadEntries } from '../change-log/readable-entries.js';
import { customisableResources, type DefinedFields } from '../fields/custom/defined-fields.js';
import { fieldsOf, isShown, isStored, type Class, type StoredField } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';
import { once, onceFor } from '../http/once.js';
import { ownResources, type ReachableResource } from '../resource/controlled-resources.js';

/** A resource whose changes are sent to webhooks. */
export interface DeliveredResource {
  record: Class;
  area: Area;
  /** The path of its records; undefined for parts without a path of their own, such as the lines of an order. */
  reached: ReachableResource | undefined;
  /** Fields in its change log entries, by their names. */
  fields: ReadonlyMap<string, StoredField>;
}

/** Resources by their names. */
export type Delivered = ReadonlyMap<string, DeliveredResource>;

/** The resources of the families, including parts without a path. Other resources, such as profiles and tokens, are never delivered. */
@Injectable()
export class DeliveredResources {
  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  private readonly declared = once(() => declaredIn(this.modules));

  /** The resources by their names, with their custom fields, cached by fields. */
  readonly of = onceFor(
    (known: DefinedFields): Delivered =>
      new Map(
        [...this.declared()].map(([name, resource]) => {
          const custom = known.of(resource.record).fields.map((field) => [field.property, field] as const);
          return [name, { ...resource, fields: new Map([...resource.fields, ...custom]) }];
        }),
      ),
  );
}

/** The names of the resources whose records the caller may read. */
export const readableBy = (caller: Caller, delivered: Delivered): string[] =>
  [...delivered].filter(([, { area }]) => mayReadEntries(caller, area)).map(([name]) => name);

function declaredIn(modules: ModulesContainer): Delivered {
  const reached = new Map<Class, ReachableResource>(ownResources(modules).map((one) => [one.record, one]));
  return new Map(
    [...customisableResources()].map(([name, record]) => {
      const stored = fieldsOf(record).filter(isStored).filter(isShown);
      const fields = new Map(stored.map((field) => [field.property, field]));
      return [name, { record, area: areaOf(record)!, reached: reached.get(record), fields }];
    }),
  );
}
