/* The conflicts of a window or a change, without the changes that are made within a window. */

import { useGet } from '../api.js';
import { isMadeIn, MOST_CONFLICTS, type Conflict } from '../conflicts.js';
import { Table } from '../table.js';
import { below, fieldsOf, rowsOf } from '../model.js';
import { Linked } from '../names.js';
import type { PanelProps } from '../types.js';
import { Line, Loaded } from '../parts.js';

const COLUMNS = ['kind', 'target', 'other', 'from', 'to'];

export function Clashes({ path, collection }: PanelProps) {
  const list = below(collection).parts.find((one) => one.path.endsWith('/conflicts'));
  const loaded = useGet(list && `${path}/conflicts?pageSize=${MOST_CONFLICTS}`);
  if (!list) return null;
  const resource = collection.resource!;
  const fields = COLUMNS.flatMap((name) => fieldsOf(list.type).find((field) => field.name === name) ?? []);
  return (
    <Loaded from={loaded}>
      {({ data, total }) => {
        const all = data as Conflict[];
        const clashes = all.filter((one) => !isMadeIn(resource, one));
        const others = new Map(
          all.flatMap((one) => (isMadeIn(resource, one) ? [[one.other!.id, one.other!] as const] : [])),
        );
        const made = resource === 'change-requests' ? 'Maintenance windows of the change' : 'Changes in this window';
        return (
          <>
            {others.size > 0 && (
              <section class="card" aria-label={made}>
                <h2>
                  {made}
                  <span class="count">{others.size}</span>
                </h2>
                <ul class="lines">
                  {[...others.values()].map((other) => (
                    <Line key={other.id} main={<Linked {...other} />} />
                  ))}
                </ul>
              </section>
            )}
            <section class="card panel" aria-label="Conflicts">
              <h2>
                Conflicts
                <span class={`count ${clashes.length > 0 ? 'bad' : ''}`}>{total - (all.length - clashes.length)}</span>
              </h2>
              {clashes.length === 0 ? (
                <p class="muted">No conflicts.</p>
              ) : (
                <Table
                  collection={list}
                  path={`${path}/conflicts`}
                  fields={fields}
                  rows={rowsOf(clashes)}
                  query={new URLSearchParams()}
                  label="Conflicts, the first of them"
                />
              )}
              {total > all.length && (
                <p class="more">
                  <a href={`#${path.slice(4)}?tab=conflicts`}>All {total}</a>
                </p>
              )}
            </section>
          </>
        );
      }}
    </Loaded>
  );
}
