import type { RequestContext } from '../../access/request-context.js';
import type { Caller } from '../../access/access.js';
import type { Executor } from '../../database/executor.js';
import { Fault, invalid, ValidationFailed } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import type { Change, ChangedRow, Returning, Scope } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import type { Owner } from '../../records/owner.js';
import { copyPorts } from '../device-port/copy-ports.js';
import { Device } from './device.entity.js';

/** Where a device stands. */
const PLACES = ['siteId', 'locationId'] as const;

/** What decides whether a device fits into its rack. */
const PLACEMENT = ['rackId', 'rackPosition', 'rackFace', 'deviceTypeId'];

@RecordService(Device)
export class DevicesService extends ResourceService<Device> {
  /** @throws ValidationFailed, Conflict */
  override async create(
    ctx: RequestContext,
    body: Partial<Device>,
    owner?: Owner,
    { withPorts }: { withPorts?: boolean } = {},
  ): Promise<RecordReply> {
    if (!withPorts) return super.create(ctx, body, owner);
    if (!body.deviceTypeId) throw invalid('deviceTypeId', 'must be given with withPorts=true');
    return ctx.db.transaction(async (tx) => {
      const reply = await this.createOne(tx, ctx.caller, body, owner);
      await copyPorts(tx, reply.id);
      return reply;
    });
  }

  /** Whether a device fits depends on where others are at that point of the request. */
  override async dependsOnOthers(db: Executor, body: object): Promise<boolean> {
    return PLACEMENT.some((property) => property in body) || super.dependsOnOthers(db, body);
  }

  /**
   * A device that changes racks takes the site and the location of the new rack. To the database, a site that the body
   * names and that is the former one is no different from a site that is not named.
   */
  protected override change(
    db: Executor,
    caller: Caller,
    changes: readonly Change<Device>[],
    returning: Returning,
    scope: Scope,
  ): Promise<ChangedRow[]> {
    const named = changes.filter(({ body }) => body.rackId && PLACES.some((place) => body[place]));
    if (named.length === 0) return super.change(db, caller, changes, returning, scope);
    return db.transaction(async (tx) => {
      const rows = await super.change(tx, caller, changes, returning, scope);
      const stored = await tx.query<{ id: string; siteId: string | null; locationId: string | null }>(
        `SELECT id, site_id AS "siteId", location_id AS "locationId" FROM devices WHERE id = ANY($1)`,
        [named.map(({ id }) => id)],
      );
      const byId = new Map(stored.map((device) => [device.id, device]));
      const faults = named.flatMap(({ id, body }) =>
        PLACES.filter((place) => body[place] && body[place].toLowerCase() !== byId.get(id)![place]).map(
          (place) => new Fault(place, `must be the ${place === 'siteId' ? 'site' : 'location'} of the rack`),
        ),
      );
      if (faults.length > 0) throw new ValidationFailed(faults);
      return rows;
    });
  }
}
