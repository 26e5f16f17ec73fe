import { Index } from 'typeorm';
import { snakeCase } from '../../database/naming.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import type { Class } from '../../fields/field.js';
import { ComputedField, OwnerField, LineField, TextField, TypedField, WordField } from '../../fields/fields.js';
import { areaOf, labelOf, RecordEntity, withArticle } from '../../fields/record-entity.js';
import { StoredRecord } from '../../fields/record.js';
import { uuid } from '../../fields/types/uuid.js';
import { Circuit } from '../../network/circuit/circuit.entity.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { Location } from '../../network/location/location.entity.js';
import { Rack } from '../../network/rack/rack.entity.js';
import { Region } from '../../network/region/region.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { Person } from '../../people/person/person.entity.js';
import { Asset } from '../../procurement/asset/asset.entity.js';

/** Kinds of responsibility, in the order of calls. Any other word is valid too, and comes after them. */
export const KINDS = ['operates', 'owns', 'approves'] as const;

/** Messages for neither a roster nor a person, and for both. */
export const NEITHER = 'must be given if personId is not: a roster or a person is responsible';
export const BOTH = 'must be null if roster is set: either a roster or a person is responsible';

/** A responsibility of a roster or a person for a record. It is deleted with the record, and with the person. */
export interface Responsibility extends StoredRecord {
  /** The record, in a field that is named after its kind, such as `deviceId`. */
  [owner: `${string}Id`]: string | null;
  kind: string;
  roster: string | null;
  personId: string | null;
  name: string | null;
  description: string | null;
}

/** Base class of the responsibilities for one kind of record. @param owner the kind in words */
function ResponsibilityFor(owner: string): abstract new () => Responsibility {
  abstract class ResponsibilityForOwner extends StoredRecord {
    [owner: `${string}Id`]: string | null;
    @WordField(`What the roster or the person has to do with the ${owner}: the kind of responsibility`, KINDS, {
      default: 'operates',
    })
    kind!: string;
    @LineField(
      'Roster that is responsible: `rotation` of on-call schedules, or `name` where that is null. It need not exist yet',
      { notBlank: true, example: 'Network' },
    )
    roster!: string | null;
    @TypedField(
      uuid,
      `Person who is responsible for the ${owner}, instead of a roster. The responsibility is deleted with the person`,
      { references: () => Person, onDelete: 'CASCADE', example: EXAMPLE_ID },
    )
    personId!: string | null;
    @ComputedField(
      'The roster, or the name of the person; null in a past state if the person no longer exists',
      (t) => `coalesce(${t}.roster, (SELECT full_name FROM people WHERE id = ${t}.person_id))`,
      { type: 'string', example: 'Network' },
      { nullable: true },
    )
    name!: string | null;
    @TextField('Notes', { example: 'In office hours the service desk answers.' }) description!: string | null;
  }
  return ResponsibilityForOwner;
}

/** A kind of record with responsibilities: their class, and the field that refers to the record. */
export interface Responsible {
  owner: Class;
  field: `${string}Id`;
  record: Class<Responsibility>;
}

/** Declares the responsibilities of one kind of record, in a table of their own. */
function responsibilitiesOf(owner: Class): Responsible {
  const name = `${owner.name}Responsibility`;
  const table = `${snakeCase(owner.name)}_responsibilities`;
  const field = `${owner.name.charAt(0).toLowerCase()}${owner.name.slice(1)}Id` as const;
  const record = { [name]: class extends ResponsibilityFor(labelOf(owner)) {} }[name]!;
  OwnerField(() => owner, `${withArticle(owner)} that somebody is responsible for`, { hidden: true })(
    record.prototype,
    field,
  );
  const twice = `is already responsible for the ${labelOf(owner)} in this way`;
  defineRule(`uq_${table}_roster`, 'roster', twice);
  defineRule(`uq_${table}_person`, 'personId', twice);
  Index(`uq_${table}_roster`, [field, 'kind', 'roster'], { unique: true, where: '"roster" IS NOT NULL' })(record);
  Index(`uq_${table}_person`, [field, 'personId', 'kind'], { unique: true, where: '"person_id" IS NOT NULL' })(record);
  Rule('ck_responsible_roster', '"roster" IS NOT NULL OR "person_id" IS NOT NULL', 'roster', NEITHER)(record);
  Rule('ck_responsible_person', '"roster" IS NULL OR "person_id" IS NULL', 'personId', BOTH)(record);
  RecordEntity(table, { area: areaOf(owner) })(record);
  return { owner, field, record };
}

/** The kinds of records with responsibilities, from the largest to the smallest. */
export const RESPONSIBLE: readonly Responsible[] = [
  ...[Region, Site, Location, Rack, Device, Cluster, VirtualMachine, Circuit, Asset],
].map(responsibilitiesOf);
