/* The impact of a record: first related operations, then reached records by kind. */

import type { ComponentChildren } from 'preact';
import type { Row } from './types.js';
import { useState } from 'preact/hooks';
import { useGet } from './api.js';
import { Conflicts } from './conflicts.js';
import { Word } from './format.js';
import { capital, collectionOf, labelOf } from './model.js';
import { Linked } from './names.js';
import { Loaded } from './parts.js';

/** A record with its resource and its name. */
interface Named extends Row {
  resource: string;
  name: string;
}

const SHORT = 25;
/** Number of planned records whose conflicts are counted, with one request for each. */
const COUNTED = 8;

/** Records of a resource, as a heading has them. */
export const labelFor = (resource: string): string => capital(collectionOf(resource)?.label ?? labelOf(resource));

/** The first entries of a group, and all of them on demand. */
export function Group({
  title,
  total,
  rows,
  most = SHORT,
  children,
}: {
  title: string;
  total: number;
  rows: Row[];
  /** How many are shown at first. */
  most?: number;
  children: (row: Row, index: number) => ComponentChildren;
}) {
  const [isAll, setAll] = useState(false);
  return (
    <section class="card" aria-label={title}>
      <h2>
        {title} <span class="count">{total}</span>
      </h2>
      <ul class="lines">
        {(isAll ? rows : rows.slice(0, most)).map((row, index) => (
          <li key={row.id}>{children(row, index)}</li>
        ))}
      </ul>
      {!isAll && rows.length > most && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {rows.length - most} more
        </button>
      )}
      {(isAll || rows.length <= most) && total > rows.length && (
        <p class="muted">{total - rows.length} more are not named.</p>
      )}
    </section>
  );
}

/** @param path of the impact in the API */
export const Impact = ({ path }: { path: string }) => (
  <Loaded from={useGet(path)}>{({ data }) => <Reached data={data} />}</Loaded>
);

/** @param data an impact, possibly of several records */
export function Reached({ data }: { data: any }) {
  const planned = Object.entries(data as Record<string, Row[]>).filter(
    ([name, value]) => name !== 'records' && Array.isArray(value),
  );
  const kinds = Object.entries(data.counts as Record<string, number>);
  return (
    <div class="impact">
      <div class="beside">
        {planned.map(
          ([name, rows]) =>
            rows.length > 0 && (
              <Group title={labelOf(name)} total={rows.length} rows={rows}>
                {(row, index) => (
                  <>
                    <span class="main">
                      <Linked {...(row as Named)} />
                    </span>
                    <span class="aside">{index < COUNTED && <Conflicts {...(row as Named)} />}</span>
                  </>
                )}
              </Group>
            ),
        )}
        {planned.length > 0 && planned.every(([, rows]) => rows.length === 0) && (
          <p class="empty">No incident, window or change concerns it.</p>
        )}
      </div>
      <div class="reached">
        {kinds.length === 0 && <p class="empty">Nothing goes down with it.</p>}
        {kinds.map(([resource, total]) => (
          <Group
            key={resource}
            title={labelFor(resource)}
            total={total}
            rows={data.records.filter((row: Row) => row.resource === resource)}
          >
            {(row) => (
              <>
                <span class="main">
                  <Linked {...(row as Named)} />
                </span>
                <span class="aside">{row.effect && row.effect !== 'down' && <Word value={row.effect} />}</span>
                {row.via && row.via.id !== data.record.id && (
                  <span class="note">
                    with <Linked {...row.via} />
                  </span>
                )}
              </>
            )}
          </Group>
        ))}
      </div>
    </div>
  );
}
