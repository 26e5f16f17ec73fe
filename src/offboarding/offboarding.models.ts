import { ApiProperty } from '@nestjs/swagger';
import { RequestBody } from '../fields/field.js';
import { BooleanField, UuidField } from '../fields/fields.js';
import { NamedRecord } from '../records/named-record.js';

export class OffboardPerson extends RequestBody {
  @BooleanField('Whether the assets that the person holds are taken back', { default: true }) returnAssets?: boolean;
  @BooleanField('Whether the licence seats of the person are freed', { default: true }) releaseSeats?: boolean;
  @BooleanField('Whether the shifts of the person that are not over go to the successor; a running one is cut now', {
    default: true,
  })
  endShifts?: boolean;
  @BooleanField('Whether the login profile of the person is deactivated, which needs the session of an administrator')
  deactivateProfile?: boolean;
  @UuidField('Person who takes over shifts, runbooks and incidents; nobody does if it is not given')
  successorId?: string | null;
}

export const OFFBOARDED = [
  'returned',
  'released',
  'cut',
  'handed_over',
  'left_empty',
  'deactivated',
  'set_inactive',
] as const;

/** A record that offboarding changed. */
export class OffboardedRecord extends NamedRecord {
  @ApiProperty({
    description:
      'What was done: an asset `returned`, a seat `released`, a running shift `cut` at this moment, a shift, runbook or incident `handed_over` to the successor or `left_empty`, the profile `deactivated`, the person `set_inactive`',
    enum: OFFBOARDED,
    enumName: 'OffboardedWhat',
    example: 'returned',
  })
  what!: (typeof OFFBOARDED)[number];
}

export class Offboarding {
  @ApiProperty({ description: 'What was done; empty if nothing was left to do', type: [OffboardedRecord] })
  done!: OffboardedRecord[];
}
