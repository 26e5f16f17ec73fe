import { Exclusion, Index } from 'typeorm';
import { DETAIL } from '../../database/constraint-faults.js';
import { addBodyRule } from '../../fields/bodies/bodies.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import {
  EnumField,
  IntegerField,
  JoinedField,
  ReferenceField,
  TextField,
  TimestampField,
  TypedField,
  UuidField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { toTimestamp } from '../../fields/types/time.js';
import { uuid } from '../../fields/types/uuid.js';
import { Fault } from '../../http/errors.js';
import { Device } from '../../network/device/device.entity.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { ChangeRequest } from '../../operations/change-request/change-request.entity.js';
import { Person } from '../../people/person/person.entity.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Asset } from '../asset/asset.entity.js';

export const BOOKING_STATUSES = ['booked', 'out', 'ended', 'cancelled'] as const;

/** What a booking is of, once it is made. */
export const BOOKED = ['assetId', 'deviceId', 'categoryId'] as const;

const ANOTHER = 'must not be changed: make another booking';
const NOT_AFTER = 'must be after startTime';

// The trigger (`src/schema/functions/place_booking.sql`) names the other booking before the constraint fails.
defineRule('ex_bookings_record', 'startTime', 'overlaps another booking');
defineRule('ex_bookings_time', 'startTime', `overlaps ${DETAIL}`);
defineRule('ex_bookings_category', 'categoryId', `has no asset that is free ${DETAIL}`);
defineRule('fk_bookings_category_id', 'categoryId', 'does not refer to an existing record');
defineRule('ck_bookings_asset_id_fixed', 'assetId', ANOTHER);
defineRule('ck_bookings_device_id_fixed', 'deviceId', ANOTHER);
defineRule('ck_bookings_category_id_fixed', 'categoryId', ANOTHER);
// Raised by triggers of other tables.
defineRule('ex_asset_assignments_booked', 'personId', `does not have ${DETAIL}`);
defineRule('ex_asset_assignments_due', 'dueAt', `is after the start of ${DETAIL}`);
defineRule('ex_devices_asset_id_bookings', 'assetId', `has bookings at the same times as the device: ${DETAIL}`);

/** A span of time in which an asset or a device is reserved for a person. An asset and its device share their bookings. */
@RecordEntity('bookings', { area: 'procurement', listed: true })
@Exclusion(
  'ex_bookings_record',
  `USING gist (record_id WITH =, tstzrange(start_time, end_time) WITH &&) WHERE (status = ANY (ARRAY['booked'::text, 'out'::text]))`,
)
// Bookings that can expire without a pickup. A migration creates the index.
@Index('ix_bookings_no_show', { synchronize: false })
@Rule('ck_bookings_record', 'num_nonnulls(asset_id, device_id) = 1', 'assetId', ANOTHER)
@Rule('ck_bookings_end_time', 'end_time > start_time', 'endTime', NOT_AFTER)
export class Booking extends StoredRecord {
  @TypedField(
    uuid,
    'Asset that is booked; of a category, the one that was chosen. Exactly one of `assetId`, `deviceId` and `categoryId` is given',
    { references: () => Asset, onDelete: 'CASCADE', example: EXAMPLE_ID, fixed: true },
  )
  assetId!: string | null;
  @JoinedField('assetId', 'name', 'Name of the asset', { example: 'Catalyst 9300-48P' }) assetName!: string | null;
  @TypedField(uuid, 'Device that is booked', {
    references: () => Device,
    onDelete: 'CASCADE',
    example: EXAMPLE_ID,
    fixed: true,
  })
  deviceId!: string | null;
  @JoinedField('deviceId', 'name', 'Name of the device', { example: 'ams-core-sw-01' }) deviceName!: string | null;
  @ReferenceField(
    () => AssetCategory,
    'Category of which any asset will do. One that is free for the whole time is chosen at once, and shown as `assetId`',
    { fixed: true },
  )
  categoryId!: string | null;
  @TimestampField('Start', { required: true, example: '2031-03-06T08:00:00.000Z' }) startTime!: string;
  @TimestampField('End, which is not part of the time. It is after the start', {
    required: true,
    example: '2031-03-06T16:00:00.000Z',
  })
  endTime!: string;
  @EnumField(
    'Status: `booked`, `out` once it was picked up, `ended` once it was returned, or `cancelled`',
    'BookingStatus',
    BOOKING_STATUSES,
    { readOnly: true, nullable: false, default: 'booked' },
  )
  status!: (typeof BOOKING_STATUSES)[number];
  @ReferenceField(() => Person, 'Person whom it is for') personId!: string | null;
  @ReferenceField(
    () => ChangeRequest,
    'Change request that it is for. While nobody has picked it up, it is cancelled when the change is finished or cancelled',
  )
  changeRequestId!: string | null;
  @TextField('Purpose', { searchable: true, example: 'Talk for customers' }) purpose!: string | null;
  @IntegerField(
    'Minutes after the start within which it has to be picked up. It is cancelled otherwise. Null means that it waits',
    { min: 1, example: 30, label: 'No-show after (minutes)' },
  )
  noShowMinutes!: number | null;
  /** The asset, even if its device is booked; the device if it has no asset. A trigger sets it. */
  @UuidField('The record that is booked', { readOnly: true, nullable: false, hidden: true })
  recordId!: string;
}

addBodyRule(Booking, ({ startTime, endTime }) => {
  const [start, end] = [startTime, endTime].map((value) =>
    typeof value === 'string' ? toTimestamp(value) : undefined,
  );
  return start !== undefined && end !== undefined && end <= start ? new Fault('endTime', NOT_AFTER) : undefined;
});
