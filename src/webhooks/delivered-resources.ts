import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Area, Caller } from '../access/access.js';
import { mayReadEntries } from '../change-log/readable-entries.js';
import { customFieldsOf, customisableResources } from '../fields/custom/known-fields.js';
import { fieldsOf, isShown, isStored, type Class, type StoredField } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { recordSqlOf, type RecordSql } from '../lists/record-sql.js';
import { ownResources, type ReachableResource } from '../resource/controlled-resources.js';

/** A resource whose changes are sent to webhooks. */
export interface DeliveredResource {
  record: Class;
  area: Area;
  /** Where its records are reached; undefined for parts that have no path of their own, such as the lines of an order. */
  reached: ReachableResource | undefined;
  /** Fields that its entries in the change log have, by their names. */
  fields: ReadonlyMap<string, StoredField>;
}

/** The resources of the families, parts without a path of their own included: all others, such as profiles and tokens, are never delivered. */
@Injectable()
export class DeliveredResources {
  private declared?: ReadonlyMap<string, DeliveredResource>;

  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  /** With the custom fields that the request knows. */
  get all(): ReadonlyMap<string, DeliveredResource> {
    this.declared ??= declaredIn(this.modules);
    return new Map(
      [...this.declared].map(([name, resource]) => {
        const custom = customFieldsOf(resource.record).fields.map((field) => [field.property, field] as const);
        const fields = custom.length > 0 ? new Map([...resource.fields, ...custom]) : resource.fields;
        return [name, { ...resource, fields }];
      }),
    );
  }

  resource(name: string): RecordSql {
    return recordSqlOf(this.all.get(name)!.record as Class<StoredRecord>) as RecordSql;
  }

  /** The names of the resources whose records the caller may read. */
  readableBy(caller: Caller): string[] {
    return [...this.all].filter(([, { area }]) => mayReadEntries(caller, area)).map(([name]) => name);
  }

  /** The fields that the entries of a resource have, by their names. */
  fieldsOf(name: string): ReadonlyMap<string, StoredField> {
    return this.all.get(name)?.fields ?? new Map();
  }
}

function declaredIn(modules: ModulesContainer): ReadonlyMap<string, DeliveredResource> {
  const reached = new Map<Class, ReachableResource>(ownResources(modules).map((one) => [one.record, one]));
  return new Map(
    [...customisableResources()].map(([name, record]) => {
      const stored = fieldsOf(record).filter(isStored).filter(isShown);
      const fields = new Map(stored.map((field) => [field.property, field]));
      return [name, { record, area: areaOf(record)!, reached: reached.get(record), fields }];
    }),
  );
}
