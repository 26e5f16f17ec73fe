import type { RequestContext } from '../../access/request-context.js';
import { DomainError } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import { ResourceService, type Owner } from '../../records/resource.service.js';
import type { Asset } from './asset.entity.js';

export class AssetsService extends ResourceService<Asset> {
  /** Of all records, assets alone refuse a PATCH that changes nothing: the contract asks for it. */
  override update(ctx: RequestContext, id: string, body: object, owner?: Owner): Promise<RecordReply> {
    if (Object.keys(body).length === 0) throw new DomainError('validation', 'No fields to update');
    return super.update(ctx, id, body, owner);
  }
}
