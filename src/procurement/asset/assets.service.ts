import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { Asset } from './asset.entity.js';

@RecordService(Asset)
export class AssetsService extends ResourceService<Asset> {
  /** Only assets refuse a change without fields, because the contract requires it. */
  protected override changeFault(body: Partial<Asset>): string | undefined {
    const { customFields = {}, ...fields } = body as { customFields?: object };
    return Object.keys({ ...fields, ...customFields }).length === 0 ? 'No fields to update' : undefined;
  }
}
