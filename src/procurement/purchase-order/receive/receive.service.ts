import { Inject, Injectable } from '@nestjs/common';
import type { InTransaction, RequestContext } from '../../../lists/request-context.js';
import { CUSTOM } from '../../../fields/custom/custom-field.js';
import { type CustomValues } from '../../../fields/custom/custom-values.js';
import { AssetsService } from '../../asset/assets.service.js';
import { References } from '../../../records/references.js';
import { writePlaced } from '../../../records/placed-writes.js';
import { type PurchaseOrderReceipt, ReceivePurchaseOrder } from './receive.dto.js';
import { type NewAsset, planOf } from './receive.rules.js';
import { lockOrderReferences, lockOrder, noteReceipt } from './receiving.js';

/** Receives units of purchase orders as assets, all units of a request or none. */
@Injectable()
export class ReceiveService {
  constructor(@Inject(AssetsService) private readonly assets: AssetsService) {}

  /** Uses a fixed number of statements. @throws NotFound, ValidationFailed */
  receive(
    ctx: RequestContext,
    orderId: string,
    request: ReceivePurchaseOrder & { [CUSTOM]?: CustomValues },
  ): Promise<PurchaseOrderReceipt> {
    const { items: entries, [CUSTOM]: given } = request;
    const references = new References(ctx);
    references.add(ReceivePurchaseOrder, request, '');
    return ctx.transaction(async (tx) => {
      // Before the order is locked: deleting a site, for example, locks the site first, and then the orders that refer to it.
      await lockOrderReferences(tx.db, orderId);
      // Custom references are not locked. They may refer to the order itself, and two requests would then be a deadlock.
      const dangling = await references.dangling(tx.db);
      const { order, lines } = await lockOrder(tx.db, orderId);
      const { assets, items, status } = planOf(order, lines, entries, dangling);
      await writePlaced(tx.db, assets, (some) => this.createAssets(tx, some));
      await noteReceipt(tx, orderId, items, status, given);
      return { assetIds: assets.map(({ id }) => id), count: assets.length };
    });
  }

  private async createAssets(tx: InTransaction, assets: readonly NewAsset[]): Promise<void> {
    const bodies = assets.map(({ entry }) => entry);
    const ids = assets.map(({ id }) => id);
    await this.assets.createMany(tx, bodies, undefined, ids);
  }
}
