/* A list of the result of a count. */

import { useEffect, useState } from 'preact/hooks';
import { queryOf, useAll, useGet } from '../api.js';
import { Icon } from '../icon.js';
import { collectionAt, mayCreate, rowsOf } from '../model.js';
import { LabelSheet } from '../labels/sheet.js';
import { Linked } from '../names.js';
import { Loaded } from '../parts.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Schemas = components['schemas'];
type Entry = Schemas['StocktakeEntry'];

export const LISTS = ['found', 'missing', 'misplaced', 'unexpected', 'unknown', 'ambiguous'] as const;
export type ListName = (typeof LISTS)[number];

const ROWS = 50;
/** Labels of a sheet. */
const LABELS = 100;

const placeOf = (place: Schemas['StocktakePlace'] | null): string =>
  [place?.locationName, place?.siteName].filter(Boolean).join(' · ') || '—';

export function Entries({ path, list, counts }: { path: string; list: ListName; counts: Schemas['StocktakeCounts'] }) {
  const count = counts[list];
  const [page, setPage] = useState(1);
  const loaded = useGet(`${path}/result${queryOf({ list, page, pageSize: ROWS })}`);
  const said = JSON.stringify(counts);
  const [shown] = useState({ said });
  // If the numbers change, the list may have changed.
  useEffect(() => {
    if (shown.said !== said) loaded.reload();
    shown.said = said;
  }, [said]);
  const isOfAssets = list !== 'unknown' && list !== 'ambiguous';
  const isCreating = list === 'unknown' && mayCreate(collectionAt('/api/assets'));
  if (count === 0) return <p class="muted">There are none.</p>;
  return (
    <>
      <p class="tools">
        {isOfAssets &&
          Array.from({ length: Math.ceil(count / LABELS) }, (_, at) => (
            <a
              key={at}
              class="button"
              href={`${path}/labels.svg${queryOf({ list, sheet: at + 1 })}`}
              target="_blank"
              rel="noopener"
            >
              <Icon name="printer" />
              Print their labels{count > LABELS && `, sheet ${at + 1}`}
            </a>
          ))}
        {list === 'found' && <Untagged path={path} />}
      </p>
      <Loaded from={loaded}>
        {({ data, hasMore }) => {
          const entries = data as Entry[];
          const isRemarked = entries.some(({ changed, candidates }) => changed || candidates.length > 0);
          return (
            <div class="scroll" tabindex={0} role="region" aria-label="Entries">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{isOfAssets ? 'Asset' : 'Code'}</th>
                    {isOfAssets && <th scope="col">Tag</th>}
                    {isOfAssets && <th scope="col">Recorded at</th>}
                    {list !== 'missing' && <th scope="col">Seen at</th>}
                    {isRemarked && <th scope="col">Remarks</th>}
                  </tr>
                </thead>
                <tbody>
                  {entries.map((one) => (
                    <tr key={one.asset?.id ?? one.code}>
                      <td>
                        {one.asset ? <Linked {...one.asset} /> : <bdi>{one.code}</bdi>}
                        {isCreating && (
                          <>
                            {' '}
                            <a href={`#/assets/new${queryOf({ assetTag: one.code })}`}>Record it</a>
                          </>
                        )}
                      </td>
                      {isOfAssets && <td>{one.assetTag ?? one.serialNumber ?? '—'}</td>}
                      {isOfAssets && <td>{placeOf(one.recorded)}</td>}
                      {list !== 'missing' && <td>{placeOf(one.seen)}</td>}
                      {isRemarked && (
                        <td>
                          {one.changed && 'Changed since the count began. '}
                          {one.candidates.map((asset) => (
                            <span key={asset.id}>
                              <Linked {...asset} />{' '}
                            </span>
                          ))}
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
              {(page > 1 || hasMore) && (
                <nav class="pages" aria-label="Pages">
                  <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
                    Previous
                  </button>
                  <button type="button" disabled={!hasMore} onClick={() => setPage(page + 1)}>
                    Next
                  </button>
                </nav>
              )}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

/** Labels of the found assets that were found by their serial numbers only, because they have no tag. */
function Untagged({ path }: { path: string }) {
  const { answer } = useAll(`${path}/result?list=found`);
  const assets = ((answer?.data ?? []) as Entry[]).flatMap(({ asset, assetTag }) => (asset && !assetTag ? asset : []));
  if (assets.length === 0) return null;
  return (
    <span class="tools">
      <span class="muted">{assets.length} without a tag:</span>
      <LabelSheet collection={collectionAt('/api/assets')!} rows={rowsOf(assets)} clear={() => {}} />
    </span>
  );
}
