import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Area, Caller } from '../access/access.js';
import { mayReadEntries } from '../change-log/readable-entries.js';
import { customFieldsOf } from '../fields/custom/known-fields.js';
import { fieldsOf, isShown, isStored, type StoredField } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';
import { declaredSqlOf, resourceNameOf, recordSqlOf, type RecordSql } from '../lists/record-sql.js';
import { ownResources, type ReachableResource } from '../resource/controlled-resources.js';

/** A resource whose changes are sent to webhooks. */
export interface DeliveredResource extends ReachableResource {
  area: Area;
  /** Fields that its entries in the change log have, by their names. */
  fields: ReadonlyMap<string, StoredField>;
}

/** The resources of the families: all others, such as profiles and tokens, are never delivered. */
@Injectable()
export class DeliveredResources {
  private declared?: readonly DeliveredResource[];

  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  /** With the custom fields that the request knows. */
  get all(): ReadonlyMap<string, DeliveredResource> {
    this.declared ??= ownResources(this.modules).flatMap((reachable) => {
      const area = areaOf(reachable.record);
      if (area === null) return [];
      const stored = fieldsOf(reachable.record).filter(isStored).filter(isShown);
      return [{ ...reachable, area, fields: new Map(stored.map((field) => [field.property, field])) }];
    });
    return new Map(
      this.declared.map((resource) => {
        const custom = customFieldsOf(resource.record).fields.map((field) => [field.property, field] as const);
        const fields = custom.length > 0 ? new Map([...resource.fields, ...custom]) : resource.fields;
        return [resourceNameOf(declaredSqlOf(resource.record).table), { ...resource, fields }];
      }),
    );
  }

  resource(name: string): RecordSql {
    return recordSqlOf(this.all.get(name)!.record) as RecordSql;
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
