import { Index } from 'typeorm';
import { DETAIL } from '../../database/constraint-faults.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { ComputedField, JoinedField, OwnerField, TypedField } from '../../fields/fields.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { StoredRecord } from '../../fields/record.js';
import { uuid } from '../../fields/types/uuid.js';
import { Device } from '../../network/device/device.entity.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { Person } from '../../people/person/person.entity.js';
import { Asset } from '../asset/asset.entity.js';
import { SoftwareLicence } from '../software-licence/software-licence.entity.js';

/** Messages for no holder, and for several. */
export const NO_HOLDER = 'must be given if assetId and deviceId are not: a person, an asset or a device has the seat';
export const SEVERAL_HOLDERS = 'must be the only holder: a person, an asset or a device has the seat';

const TWICE = 'has a seat of the licence already';
defineRule('uq_software_licence_seats_person', 'personId', TWICE);
defineRule('uq_software_licence_seats_asset', 'assetId', TWICE);
defineRule('uq_software_licence_seats_device', 'deviceId', TWICE);
// Raised by triggers (`src/schema/functions/count_seats.sql`, `keep_seats.sql`).
defineRule('ex_software_licence_seats_free', 'seats', `are all in use: ${DETAIL}`);
defineRule('ex_software_licences_seats', 'seats', `must not be less than the seats in use: ${DETAIL}`);
defineRule('ex_software_licences_assigned_seats', 'assignedSeats', `is counted while seats are in use: ${DETAIL}`);

/** A seat of a licence that is assigned to a person, an asset or a device. It is deleted with its holder. */
@RecordEntity('software_licence_seats', { area: 'procurement', label: 'licence seat', plural: 'licence seats' })
@Rule('ck_software_licence_seats_none', 'num_nonnulls("person_id", "asset_id", "device_id") > 0', 'personId', NO_HOLDER)
@Rule(
  'ck_software_licence_seats_several',
  'num_nonnulls("person_id", "asset_id", "device_id") < 2',
  'personId',
  SEVERAL_HOLDERS,
)
@Index('uq_software_licence_seats_person', ['personId', 'softwareLicenceId'], {
  unique: true,
  where: '"person_id" IS NOT NULL',
})
@Index('uq_software_licence_seats_asset', ['assetId', 'softwareLicenceId'], {
  unique: true,
  where: '"asset_id" IS NOT NULL',
})
@Index('uq_software_licence_seats_device', ['deviceId', 'softwareLicenceId'], {
  unique: true,
  where: '"device_id" IS NOT NULL',
})
export class SoftwareLicenceSeat extends StoredRecord {
  @OwnerField(() => SoftwareLicence, 'Licence that the seat is of') softwareLicenceId!: string;
  @JoinedField('softwareLicenceId', 'name', 'Name of the licence', { example: 'Network monitoring, 500 nodes' })
  softwareLicenceName!: string | null;
  @TypedField(uuid, 'Person who has the seat, which is deleted with the person', {
    references: () => Person,
    onDelete: 'CASCADE',
    indexed: false,
    example: EXAMPLE_ID,
  })
  personId!: string | null;
  @TypedField(uuid, 'Asset that has the seat, instead of a person', {
    references: () => Asset,
    onDelete: 'CASCADE',
    indexed: false,
    example: EXAMPLE_ID,
  })
  assetId!: string | null;
  @TypedField(uuid, 'Device that has the seat, instead of a person', {
    references: () => Device,
    onDelete: 'CASCADE',
    indexed: false,
    example: EXAMPLE_ID,
  })
  deviceId!: string | null;
  @ComputedField(
    'Name of the holder; null in a past state if the holder no longer exists',
    (t) => `coalesce((SELECT full_name FROM people WHERE id = ${t}.person_id),
      (SELECT name FROM assets WHERE id = ${t}.asset_id), (SELECT name FROM devices WHERE id = ${t}.device_id))`,
    { type: 'string', example: 'Ada Lovelace' },
    { nullable: true },
  )
  name!: string | null;
}
