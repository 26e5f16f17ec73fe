import { TakesCustomFields } from '../../fields/bodies/bodies.js';
import { RequestBody } from '../../fields/field.js';
import { UuidField } from '../../fields/fields.js';
import { AssetAssignment } from './asset-assignment.entity.js';

@TakesCustomFields(() => AssetAssignment)
export class AssignAsset extends RequestBody {
  @UuidField('Person to hand the asset to', { required: true }) personId!: string;
}

/** Returning says everything by its path: a body may be absent, and has no properties but the custom fields of the assignment. */
@TakesCustomFields(() => AssetAssignment, { makes: false })
export class ReturnAsset extends RequestBody {}
