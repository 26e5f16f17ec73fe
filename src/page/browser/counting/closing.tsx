/* Closing a count, with a preview of its changes. */

import { useEffect, useState } from 'preact/hooks';
import { reloadAll, send, useKey } from '../api.js';
import { Dialog, Failure, Loading, Standing } from '../parts.js';
import { say } from '../toasts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault, Row } from '../types.js';

type Closed = components['schemas']['ClosedStocktake'];

const assets = (count: number): string => `${count} ${count === 1 ? 'asset' : 'assets'}`;

export function Closing({ path, record, close }: { path: string; record: Row; close: () => void }) {
  const [relocate, setRelocate] = useState(false);
  const [isLost, setLost] = useState(false);
  const [preview, setPreview] = useState<Closed>();
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const keyOf = useKey();
  const body = { relocate, missingStatus: isLost ? 'lost' : null };
  useEffect(() => {
    const controller = new AbortController();
    send('POST', `${path}/close?dryRun=true`, { body, signal: controller.signal }).then(
      ({ data }) => setPreview(data),
      (refused: Error) => refused.name !== 'AbortError' && setError(refused),
    );
    return () => controller.abort();
  }, [relocate, isLost]);
  const finish = async (): Promise<void> => {
    setBusy(true);
    try {
      const { relocated, marked } = (await send('POST', `${path}/close`, { body, headers: keyOf(body) }))
        .data as Closed;
      const parts = [relocated > 0 && `${assets(relocated)} moved`, marked > 0 && `${assets(marked)} lost`];
      say([`${record.name} closed`, ...parts.filter(Boolean)].join(', '));
      close();
      reloadAll();
    } catch (refused) {
      setBusy(false);
      setError(refused as Fault);
    }
  };
  return (
    <Dialog label={`Close ${record.name}`} close={close}>
      <h2>
        Close <bdi>{record.name}</bdi>
      </h2>
      {error && <Failure error={error} />}
      <p>The result is kept as it is, and nothing more can be scanned.</p>
      <label class="line">
        <input
          type="checkbox"
          checked={relocate}
          onChange={({ currentTarget }) => setRelocate(currentTarget.checked)}
        />
        Misplaced assets get the place where they were seen
      </label>
      <label class="line">
        <input type="checkbox" checked={isLost} onChange={({ currentTarget }) => setLost(currentTarget.checked)} />
        Missing assets become lost
      </label>
      {preview ? (
        <div role="status">
          <p>
            {relocate || isLost
              ? `${assets(preview.relocated)} would be moved, and ${assets(preview.marked)} lost.`
              : 'No asset is changed.'}
          </p>
          {preview.skipped.length > 0 && (
            <>
              <p>These were changed since the count began, and are left alone:</p>
              <Standing count={preview.skipped.length} records={preview.skipped.slice(0, 10)} />
            </>
          )}
        </div>
      ) : (
        !error && <Loading />
      )}
      <p class="tools">
        <button type="button" class="primary" disabled={isBusy || !preview} onClick={() => void finish()}>
          Close it
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
