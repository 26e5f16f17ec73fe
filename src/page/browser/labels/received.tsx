/* Labels of the assets that an order has received last. */

import { useGet } from '../api.js';
import { collectionAt } from '../model.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { PanelProps } from '../types.js';
import { LabelSheet } from './sheet.js';

const RECEIPTS = 50;

export function LabelsOfReceipt({ path }: PanelProps) {
  const { answer } = useGet(`${path}/receipts?pageSize=${RECEIPTS}&sort=receivedAt&order=desc`);
  const receipts = (answer?.data ?? []) as components['schemas']['Receipt'][];
  const idsOf = (receipt: (typeof receipts)[number]): string[] => receipt.items.flatMap(({ assetIds }) => assetIds);
  const last = receipts.find((one) => !one.reversedAt && idsOf(one).length > 0);
  if (!last) return null;
  const rows = idsOf(last).map((id) => ({ id }));
  return (
    <section class="card" aria-label="Labels">
      <h2>
        Labels of what was received last <span class="count">{rows.length}</span>
      </h2>
      <p class="tools">
        <LabelSheet collection={collectionAt('/api/assets')!} rows={rows} clear={() => {}} />
      </p>
    </section>
  );
}
