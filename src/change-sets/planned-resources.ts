import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { meets, type AccessRule, type Caller } from '../access/access.js';
import { recordOf } from '../fields/custom/defined-fields.js';
import { fieldsOf, isStored, type Class } from '../fields/field.js';
import { areaOf, resourceOf } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { closest } from '../http/closest.js';
import { declaredSqlOf, type RecordSql } from '../lists/record-sql.js';
import { readingOf, writingOf } from '../records/record-access.js';
import type { ResourceService } from '../records/resource.service.js';
import type { Bodies } from '../resource/bulk/bulk-body.js';
import { ownResources } from '../resource/controlled-resources.js';

/** A resource of the families. Change sets can change its records. */
export interface PlannedResource {
  name: string;
  record: Class<StoredRecord>;
  service: ResourceService;
  bodies: Bodies;
  read: AccessRule;
  write: AccessRule;
  /** The property that refers to the owner of a part. In other requests the owner is in the path. */
  ownerField?: string;
  ownerRecord?: Class;
  /** Whether its records have no path of their own. Then only columns of the change log are written. */
  isHistory?: true;
}

/** The resources of the four families that have a path of their own, parts included. */
@Injectable()
export class PlannedResources {
  private declared?: ReadonlyMap<string, PlannedResource>;

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
  ) {}

  /** By name. Created on first use, when all services exist. */
  get all(): ReadonlyMap<string, PlannedResource> {
    return (this.declared ??= new Map(
      ownResources(this.modules)
        .filter(({ record }) => areaOf(record) !== null)
        .map(({ record, controlled: { service, create, update, read, write, owner } }) => {
          const name = resourceOf(record)!;
          const provided = this.moduleRef.get<ResourceService>(service, { strict: false });
          const bodies = { create, update };
          return [
            name,
            {
              name,
              record,
              service: provided,
              bodies,
              read,
              write,
              ownerField: owner?.field,
              ownerRecord: owner?.record,
            },
          ] as const;
        }),
    ));
  }

  get(name: string): PlannedResource | undefined {
    return this.all.get(name);
  }

  /** A resource of the families, or one whose records have no path of their own, such as the lines of an order. */
  any(name: string): PlannedResource | undefined {
    return this.get(name) ?? this.history(name);
  }

  private readonly histories = new Map<string, PlannedResource>();

  private history(name: string): PlannedResource | undefined {
    const known = this.histories.get(name);
    if (known) return known;
    const record = recordOf(name) as Class<StoredRecord> | undefined;
    if (!record) return undefined;
    const area = areaOf(record);
    const admins: AccessRule = { role: 'admin' };
    const made = {
      name,
      record,
      read: area === null ? admins : readingOf(record),
      write: area === null ? admins : writingOf(record),
      isHistory: true,
    } as PlannedResource;
    this.histories.set(name, made);
    return made;
  }

  /** The reason for refusing a name: the end of a sentence. */
  unknown(name: string): string {
    const near = closest(name, [...this.all.keys()]);
    return `must be a resource of a family${near === undefined ? '' : `. Did you mean '${near}'?`}`;
  }

  /** Whether the caller may read the records of a resource. */
  mayRead(caller: Caller, name: string): boolean {
    const resource = this.any(name);
    return resource === undefined || meets(caller, resource.read);
  }
}

/** The SQL of a resource as it is declared, for what has nothing to do with custom fields. */
export const sqlOf = ({ record }: PlannedResource): RecordSql => declaredSqlOf(record);

const TIMES = new Set(['createdAt', 'updatedAt']);

/** Properties whose values a record stores, and that other writes can change. */
export const keptProperties = (record: Class): string[] =>
  fieldsOf(record)
    .filter((field) => (isStored(field) && !field.hidden) || field.kind === 'parts')
    .map(({ property }) => property)
    .filter((property) => property !== 'id' && !TIMES.has(property));
