import type { RequestContext } from '../../lists/request-context.js';
import { sql, write } from '../../database/sql.js';
import { Conflict, Fault } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import type { Owner } from '../../records/owner.js';
import type { Columns } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { StockItem } from '../stock-item/stock-item.entity.js';
import { StockMovement } from './stock-movement.entity.js';

/** The movements of a stock item. */
export const movementsOf = (itemId: string): Owner => ({
  record: StockItem,
  field: 'stockItemId' satisfies keyof StockMovement,
  id: itemId,
});

interface Reversible {
  ofOrder: boolean;
  isReversal: boolean;
}

/** Writes the movements of stock items. Triggers maintain the levels and the cost (`move_stock.sql`). */
@RecordService(StockMovement)
export class StockMovementsService extends ResourceService<StockMovement> {
  protected override newColumns(ctx: RequestContext, body: Partial<StockMovement>): Columns {
    return { ...super.newColumns(ctx, body), author: ctx.caller.email };
  }

  /** Writes the reversal of a movement. @throws NotFound, Conflict */
  reverse(ctx: RequestContext, itemId: string, id: string, reason?: string | null): Promise<RecordReply> {
    return ctx.transaction(async (tx) => {
      const [movement] = await tx.db.query<Reversible>(
        sql`SELECT receipt_id IS NOT NULL AS "ofOrder", reverses_id IS NOT NULL AS "isReversal"
          FROM stock_movements t WHERE id = ${id} AND stock_item_id = ${itemId}`,
      );
      if (!movement) this.missing();
      if (movement.isReversal) throw new Conflict(new Fault('movement', 'is a reversal itself'));
      if (movement.ofOrder)
        throw new Conflict(new Fault('movement', 'was received with an order: reverse the receipt of the order'));
      const [opposite] = await tx.db.write<{ id: string }>(
        write`SELECT reverse_movements(ARRAY[${id}]::uuid[], ${ctx.caller.email}, ${reason ?? null}) AS id`,
      );
      return this.recordOn(tx, opposite!.id);
    });
  }
}
