import type { RequestContext } from '../../lists/request-context.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { Location } from './location.entity.js';

@RecordService(Location)
export class LocationsService extends ResourceService<Location> {
  /** Whether a location may be at a site depends on the places of the others at that point of the request. */
  override async dependsOnOthers(ctx: RequestContext, body: object): Promise<boolean> {
    return 'siteId' in body || 'parentId' in body || super.dependsOnOthers(ctx, body);
  }
}
