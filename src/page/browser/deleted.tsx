/* The deleted records of a list, which can be restored. */

import { useState } from 'preact/hooks';
import { get, queryOf, reloadAll, send, useGet } from './api.js';
import { AtOnce } from './at-once.js';
import { Ago } from './format.js';
import { Icon } from './icon.js';
import { capital, may, restoreOf } from './model.js';
import { Failure, Loaded, Loading, Title, Vacant } from './parts.js';
import { ENTRIES } from './prepared.js';
import { go } from './route.js';
import { say } from './toasts.js';
import type { Collection, Fault, Row } from './types.js';

const SHOWN = 50;

export function Deleted({ collection }: { collection: Collection }) {
  const [error, setError] = useState<Fault>();
  const asked = { resource: collection.resource, action: 'delete', sort: 'createdAt', order: 'desc', pageSize: SHOWN };
  const loaded = useGet(`${ENTRIES}${queryOf(asked)}`);
  const ids = [...new Set(((loaded.answer?.data ?? []) as Row[]).map(({ recordId }) => recordId as string))];
  // Records that have been restored since are left out.
  const there = useGet(ids.length > 0 ? `${collection.path}${queryOf({ id: ids, pageSize: SHOWN })}` : undefined);
  const act = async (entry: Row): Promise<void> => {
    try {
      await send('POST', `${collection.path}/${entry.recordId}/restore?relink=true`);
      say(`${entry.recordName} restored`, {
        address: `#${collection.path.slice(4)}/${entry.recordId}`,
        undo: async () => {
          const { etag } = await get(`${collection.path}/${entry.recordId}`);
          await send('DELETE', `${collection.path}/${entry.recordId}`, { headers: etag ? { 'if-match': etag } : {} });
          reloadAll();
        },
      });
      go(`${collection.path.slice(4)}/${entry.recordId}`);
      reloadAll();
    } catch (refused) {
      setError(refused as Fault);
    }
  };
  return (
    <>
      <Title
        text={`Deleted ${collection.label}`}
        crumbs={[[capital(collection.label), `#${collection.path.slice(4)}`]]}
      />
      {error && <Failure error={error} />}
      {may(restoreOf(collection)) && <AtOnce />}
      <Loaded from={loaded}>
        {({ data }) => {
          if (ids.length > 0 && !there.answer && !there.error) return <Loading />;
          const present = new Set(((there.answer?.data ?? []) as Row[]).map(({ id }) => id));
          const first = new Set<string>();
          const gone = (data as Row[]).filter(({ recordId }) => {
            const isShown = !present.has(recordId) && !first.has(recordId);
            first.add(recordId);
            return isShown;
          });
          if (gone.length === 0)
            return (
              <Vacant icon="check">
                <p>Nothing has been deleted.</p>
              </Vacant>
            );
          return (
            <div class="scroll" tabindex={0} role="region" aria-label={`Deleted ${collection.label}`}>
              <table class="records">
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Deleted by</th>
                    <th scope="col">When</th>
                    <th scope="col">
                      <span class="hidden">Restore</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {gone.map((entry) => (
                    <tr key={entry.id}>
                      <td class="lead">
                        <bdi>{entry.recordName}</bdi>
                      </td>
                      <td data-label="Deleted by">
                        <bdi>{entry.actor}</bdi>
                      </td>
                      <td data-label="When">
                        <Ago value={entry.createdAt} />
                      </td>
                      <td class="end">
                        {may(restoreOf(collection)) && (
                          <button
                            type="button"
                            aria-label={`Restore ${entry.recordName}`}
                            onClick={() => void act(entry)}
                          >
                            <Icon name="arrow-uturn-left" />
                            Restore
                          </button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          );
        }}
      </Loaded>
    </>
  );
}
