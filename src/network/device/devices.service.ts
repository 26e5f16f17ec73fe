import type { RequestContext } from '../../lists/request-context.js';
import { invalid } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import type { Move } from '../../records/resource.service.js';
import { RecordService } from '../../records/record-service.js';
import type { Owner } from '../../records/owner.js';
import { copyPorts } from '../device-port/copy-ports.js';
import { RackedService } from '../rack/racked.service.js';
import { Device } from './device.entity.js';

/** Fields that determine whether a device fits into its rack. */
const PLACEMENT = ['rackId', 'rackPosition', 'rackFace', 'deviceTypeId'];

@RecordService(Device)
export class DevicesService extends RackedService<Device> {
  protected readonly places = ['siteId', 'locationId'] as const;

  /** @throws ValidationFailed, Conflict */
  override async create(
    ctx: RequestContext,
    body: Partial<Device>,
    owner?: Owner,
    { withPorts }: { withPorts?: boolean } = {},
  ): Promise<RecordReply> {
    if (!withPorts) return super.create(ctx, body, owner);
    if (!body.deviceTypeId) throw invalid('deviceTypeId', 'must be given with withPorts=true');
    return ctx.transaction(async (tx) => {
      const reply = await this.createOne(tx, body, owner);
      await copyPorts(tx.db, reply.id);
      return reply;
    });
  }

  /** Whether a device fits depends on the positions of the others at that point of the request. */
  override async dependsOnOthers(ctx: RequestContext, body: object): Promise<boolean> {
    return PLACEMENT.some((property) => property in body) || super.dependsOnOthers(ctx, body);
  }

  /** A device releases units of one rack, and takes units of the same or another one. */
  override async moveOf(
    ctx: RequestContext,
    body: Partial<Device>,
    record: Partial<Device>,
  ): Promise<Move | undefined> {
    if (await super.dependsOnOthers(ctx, body)) return undefined;
    const { rackId: leaves = null } = record;
    const { rackId: takes = leaves } = body;
    return { takes: takes && takes.toLowerCase(), leaves };
  }
}
