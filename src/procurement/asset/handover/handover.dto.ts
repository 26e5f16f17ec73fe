import { ApiProperty } from '@nestjs/swagger';
import { TakesCustomFields } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { BooleanField, ObjectsField, UuidField } from '../../../fields/fields.js';
import { COUNT } from '../../../resource/document-model.js';
import { AssetAssignment } from '../asset-assignment.entity.js';

/** Most assets of one request. */
const MOST_HOLDERS = 1000;

/** The new holder of an asset. The custom fields are those of the assignment that is opened, closed or continued. */
@TakesCustomFields(() => AssetAssignment, { makes: false })
export class AssetHolder extends RequestBody {
  @UuidField('Asset to hand over', { required: true }) assetId!: string;
  @UuidField('Person who gets it; null takes it back', { required: true, nullable: true })
  personId!: string | null;
}

export class HandOverAssets extends RequestBody {
  @ObjectsField(`Assets with their holders, at most ${MOST_HOLDERS}`, () => AssetHolder, {
    required: true,
    min: 1,
    max: MOST_HOLDERS,
  })
  holders!: AssetHolder[];
  @BooleanField('`true`: an asset that somebody else has is taken back first. Otherwise it is a fault')
  replace?: boolean;
}

const count = (description: string, example: number) => ({ ...COUNT, description, example });

class HandoverFault {
  @ApiProperty({ ...count('Number of the entry, from 1', 2), minimum: 1 }) row!: number;
  @ApiProperty({ description: 'Property that is wrong', example: 'personId' }) field!: string;
  @ApiProperty({ description: 'What is wrong', example: 'does not refer to an existing record' }) message!: string;
}

/** The results of a handover. */
export class AssetHandover {
  @ApiProperty(count('Assets that were handed out, also those that were taken back for it', 2)) handedOut!: number;
  @ApiProperty(count('Assets that were taken back, and that nobody has now', 0)) takenBack!: number;
  @ApiProperty(count('Assets that the person had already, or nobody', 0)) unchanged!: number;
  @ApiProperty(count('Entries with faults', 0)) failed!: number;
  @ApiProperty({ description: 'One for each entry that failed', type: [HandoverFault], maxItems: MOST_HOLDERS })
  faults!: HandoverFault[];
}
