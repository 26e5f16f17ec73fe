import { Inject } from '@nestjs/common';
import type { RequestContext } from '../../access/request-context.js';
import { Conflict, Fault } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import { RecordStores } from '../../records/record-store.js';
import { RecordService, ResourceService } from '../../records/resource.service.js';
import { AssetAssignment } from './asset-assignment.entity.js';
import { AssetsService } from './assets.service.js';

/** Hands assets out and takes them back. The asset's own fields, its status among them, stay as they are. */
@RecordService(AssetAssignment)
export class AssetAssignmentsService extends ResourceService<AssetAssignment> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(AssetsService) private readonly assets: AssetsService,
  ) {
    super(stores);
  }

  /** That an asset is out once at a time is held by a unique index. @throws NotFound, ValidationFailed, Conflict */
  assign(ctx: RequestContext, assetId: string, personId: string): Promise<RecordReply> {
    return ctx.db.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO asset_assignments (asset_id, person_id)
        SELECT id, $2::uuid FROM assets WHERE id = $1 FOR KEY SHARE`,
        [assetId, personId],
      );
      // Also tells that there is no such asset, in which case nothing was inserted.
      return this.assets.get({ ...ctx, db: tx }, assetId);
    });
  }

  /** @throws NotFound, Conflict */
  return(ctx: RequestContext, assetId: string): Promise<RecordReply> {
    return ctx.db.transaction(async (tx) => {
      // A transaction that began before the asset was handed out may come to take it back: its now() is earlier.
      const closed = await tx.query(
        `UPDATE asset_assignments SET returned_at = greatest(assigned_at, now()), updated_at = now()
        WHERE asset_id = $1 AND returned_at IS NULL RETURNING id`,
        [assetId],
      );
      const asset = await this.assets.get({ ...ctx, db: tx }, assetId);
      if (closed.length === 0) throw new Conflict(new Fault('asset', 'is not handed out'));
      return asset;
    });
  }
}
