import { ApiProperty } from '@nestjs/swagger';
import { addBodyRule } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { NameField, ObjectsField } from '../../../fields/fields.js';
import { Fault } from '../../../http/errors.js';
import { MAX_ALLOCATED } from '../../available.js';
import { MAX_VID, MIN_VID } from '../../vlan-group/vlan-group.entity.js';

/** A vid that no VLAN of the group has. */
export class AvailableVlan {
  @ApiProperty({
    description: 'VLAN id that is free',
    type: 'integer',
    format: 'int32',
    minimum: MIN_VID,
    maximum: MAX_VID,
    example: 101,
  })
  vid!: number;
}

export class AllocatedVlan extends RequestBody {
  @NameField('Name of the new VLAN', { example: 'servers' }) name!: string;
}

export class AllocateVlans extends RequestBody {
  @NameField('Name of the new VLAN, if there is one', { required: false, nullable: false, example: 'servers' })
  name?: string;
  @ObjectsField(`Several new VLANs, 1 to ${MAX_ALLOCATED}`, () => AllocatedVlan, {
    min: 1,
    max: MAX_ALLOCATED,
    instead: true,
  })
  vlans?: AllocatedVlan[];
}

addBodyRule(AllocateVlans, ({ name, vlans }) => {
  if (vlans === undefined) return name === undefined ? new Fault('name', 'or vlans must be given') : undefined;
  return name === undefined ? undefined : new Fault('name', 'must not be given beside vlans');
});
