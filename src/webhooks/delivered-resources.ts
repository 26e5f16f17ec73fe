import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Area, Caller } from '../access/access.js';
import { mayReadEntries } from '../change-log/readable-entries.js';
import { fieldsOf, isShown, isStored, type StoredField } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';
import { resourceNameOf, recordSqlOf, type RecordSql } from '../lists/record-sql.js';
import { ownResources, type ReachableResource } from '../resource/controlled-resources.js';
import type { ValueKind } from './conditions.js';

/** A resource whose changes are sent to webhooks. */
export interface DeliveredResource extends ReachableResource {
  area: Area;
  /** Fields that its entries in the change log have, by their names. */
  fields: ReadonlyMap<string, StoredField>;
}

const KINDS: Readonly<Record<string, ValueKind>> = { numeric: 'decimal', timestamptz: 'instant' };

/** The resources of the families: all others, such as profiles and tokens, are never delivered. */
@Injectable()
export class DeliveredResources {
  private known?: ReadonlyMap<string, DeliveredResource>;

  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  get all(): ReadonlyMap<string, DeliveredResource> {
    return (this.known ??= new Map(
      ownResources(this.modules).flatMap((reachable) => {
        const area = areaOf(reachable.record);
        if (area === null) return [];
        const stored = fieldsOf(reachable.record).filter(isStored).filter(isShown);
        const fields = new Map(stored.map((field) => [field.property, field]));
        return [[resourceNameOf(recordSqlOf(reachable.record).table), { ...reachable, area, fields }]];
      }),
    ));
  }

  resource(name: string): RecordSql {
    return recordSqlOf(this.all.get(name)!.record) as RecordSql;
  }

  /** The names of the resources whose records the caller may read. */
  readableBy(caller: Caller): string[] {
    return [...this.all].filter(([, { area }]) => mayReadEntries(caller, area)).map(([name]) => name);
  }

  /** How the values of a resource's fields are compared. */
  kindsOf(name: string): ReadonlyMap<string, ValueKind> {
    const fields = this.all.get(name)?.fields ?? new Map<string, StoredField>();
    return new Map(
      [...fields].map(([property, field]) => [
        property,
        field.type.column(field).array ? 'list' : (KINDS[field.type.sqlType] ?? 'plain'),
      ]),
    );
  }
}
