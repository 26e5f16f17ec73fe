import type { RequestContext } from '../../access/request-context.js';
import { RecordService, ResourceService, type Columns } from '../../records/resource.service.js';
import { familyOf } from './family.js';
import { IpAddress } from './ip-address.entity.js';

@RecordService(IpAddress)
export class IpAddressesService extends ResourceService<IpAddress> {
  /** The family follows the address. With a port, the device is the port's, whatever the body says: the database sets it. */
  protected override columns(body: Partial<IpAddress>, ctx: RequestContext): Columns {
    const columns = super.columns(body, ctx);
    if (body.address !== undefined) columns.family = familyOf(body.address);
    if (body.interfaceId) delete columns.device_id;
    return columns;
  }
}
