import type { Type } from '@nestjs/common';
import type { AccessRule } from '../access/access.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { NetworkModule } from '../network/network.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { PeopleModule } from '../people/people.module.js';
import { ProcurementModule } from '../procurement/procurement.module.js';
import { readingOf } from '../records/record-access.js';
import { resourcesOf } from '../resource/family.js';
import { movableFieldsOf } from '../fields/movable.js';

/** A kind of record with transitions, and the path of its records. */
export interface Movable {
  record: Class<StoredRecord>;
  /** Path of one record. Its last parameter is the id. */
  path: string;
  /** Its owner, with the parameter that has the id of the part. */
  owner?: { record: Class; field: string; param: string };
  read: AccessRule;
}

const FAMILIES: readonly Type[] = [OperationsModule, NetworkModule, ProcurementModule, PeopleModule];

/** The records of the families that can have transitions. */
export const MOVABLE: readonly Movable[] = FAMILIES.flatMap(resourcesOf)
  .filter(({ record, flat }) => !flat && movableFieldsOf(record).length > 0)
  .map(({ record, path, owner }) => ({
    record,
    path: `${path}/:${owner?.param ?? 'id'}`,
    owner,
    read: readingOf(record),
  }));
