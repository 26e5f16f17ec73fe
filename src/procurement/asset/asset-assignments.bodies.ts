import { TakesCustomFields } from '../../fields/bodies/bodies.js';
import { RequestBody } from '../../fields/field.js';
import { TimestampField, UuidField } from '../../fields/fields.js';
import { AssetAssignment } from './asset-assignment.entity.js';

@TakesCustomFields(() => AssetAssignment)
export class AssignAsset extends RequestBody {
  @UuidField('Person to hand the asset to', { required: true }) personId!: string;
  @TimestampField('When it has to be back. It must not be after the start of a booking for somebody else', {
    example: '2026-06-30T15:00:00.000Z',
  })
  dueAt?: string | null;
}
