import { Inject } from '@nestjs/common';
import type { RequestContext } from '../../access/request-context.js';
import { uniqueViolation } from '../../database/database-errors.js';
import { Conflict, Fault, ValidationFailed } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import { Person } from '../../people/person/person.entity.js';
import { RecordStores } from '../../records/record-store.js';
import { hold } from '../../records/references.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { AssetAssignment } from './asset-assignment.entity.js';
import { AssetsService } from './assets.service.js';

/** The index that an asset which is out breaks when it is handed out again. */
const OPEN = 'uq_asset_assignments_open';

/**
 * Hands assets out and takes them back. The status of the asset follows by a trigger, as deleting a person takes back what
 * they hold. Who locks both locks the person first, and then the asset, as that delete does.
 */
@RecordService(AssetAssignment)
export class AssetAssignmentsService extends ResourceService<AssetAssignment> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(AssetsService) private readonly assets: AssetsService,
  ) {
    super(stores);
  }

  /** That an asset is out once at a time is held by a unique index. @throws NotFound, ValidationFailed, Conflict */
  async assign(ctx: RequestContext, assetId: string, personId: string): Promise<RecordReply> {
    try {
      return await this.handOut(ctx, assetId, personId);
    } catch (error) {
      if (uniqueViolation(error)?.constraint !== OPEN) throw error;
      const [holder] = await ctx.db.query<{ id: string; name: string }>(
        `SELECT p.id, p.full_name AS name FROM asset_assignments a JOIN people p ON p.id = a.person_id
        WHERE a.asset_id = $1 AND a.returned_at IS NULL`,
        [assetId],
      );
      // It may have been taken back in the meantime.
      if (!holder) throw error;
      const { id, name } = holder;
      throw new Conflict(
        new Fault('asset', `is already handed out to '${name}' (people ${id}); it has to be returned first`),
      );
    }
  }

  private handOut(ctx: RequestContext, assetId: string, personId: string): Promise<RecordReply> {
    // With an Idempotency-Key there is a transaction around it, which goes on and is asked for the holder.
    return ctx.db.savepoint(async (tx) => {
      const dangling = await hold(tx, Person, [{ path: 'personId', id: personId }]);
      const found = await this.assets.lock(tx, [assetId]);
      if (found.size > 0) {
        if (dangling.length > 0) throw new ValidationFailed(dangling);
        await tx.write(
          `INSERT INTO asset_assignments (asset_id, person_id, person_name, person_email)
          SELECT $1::uuid, id, full_name, email FROM people WHERE id = $2`,
          [assetId, personId],
        );
      }
      // Also tells that there is no such asset, in which case nothing was inserted.
      return this.assets.recordOn(tx, assetId);
    });
  }

  /** @throws NotFound, Conflict */
  return(ctx: RequestContext, assetId: string): Promise<RecordReply> {
    return ctx.db.transaction(async (tx) => {
      await this.assets.lock(tx, [assetId]);
      // A transaction that began before the asset was handed out may take it back. Its now() is the earlier time.
      const closed = await tx.write(
        `UPDATE asset_assignments SET returned_at = greatest(assigned_at, now()), updated_at = now()
        WHERE asset_id = $1 AND returned_at IS NULL RETURNING id`,
        [assetId],
      );
      const asset = await this.assets.recordOn(tx, assetId);
      if (closed.length === 0) throw new Conflict(new Fault('asset', 'is not handed out'));
      return asset;
    });
  }
}
