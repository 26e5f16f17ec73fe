/* What goes down with a record: what operations has to do with it first, then what is reached, by kind. */

import type { ComponentChildren } from 'preact';
import type { Row } from './types.js';
import { useState } from 'preact/hooks';
import { useGet } from './api.js';
import { Badge } from './format.js';
import { addressOf, below, capital, collectionOf, labelOf } from './model.js';

/** A record with its resource and its name. */
interface Named extends Row {
  resource: string;
  name: string;
}

const SHORT = 25;
/** Planned records of which the conflicts are counted, a request each. */
const COUNTED = 8;

export const isImpact = (data: any): boolean => Boolean(data?.record && data.counts && Array.isArray(data.records));

const labelFor = (resource: string): string => capital(collectionOf(resource)?.label ?? labelOf(resource));

const Linked = ({ resource, id, name }: { resource: string; id: string; name: string }) => {
  const address = addressOf(resource, id);
  return address ? (
    <a href={address}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi>{name}</bdi>
  );
};

/** The first entries of a group, and all of them on demand. */
function Group({
  title,
  total,
  rows,
  children,
}: {
  title: string;
  total: number;
  rows: Row[];
  children: (row: Row, index: number) => ComponentChildren;
}) {
  const [isAll, setAll] = useState(false);
  return (
    <section class="card" aria-label={title}>
      <h2>
        {title} <span class="count">{total}</span>
      </h2>
      <ul class="lines">
        {(isAll ? rows : rows.slice(0, SHORT)).map((row, index) => (
          <li key={row.id}>{children(row, index)}</li>
        ))}
      </ul>
      {!isAll && rows.length > SHORT && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {rows.length - SHORT} more
        </button>
      )}
      {(isAll || rows.length <= SHORT) && total > rows.length && (
        <p class="muted">{total - rows.length} more are not named.</p>
      )}
    </section>
  );
}

/** How many conflicts something planned has, with a link to them. */
function Conflicts({ resource, id }: { resource: string; id: string }) {
  const collection = collectionOf(resource);
  const has = collection && below(collection).parts.some(({ path }) => path.endsWith('/conflicts'));
  const { answer } = useGet(has ? `${collection.path}/${id}/conflicts?pageSize=1` : undefined);
  return answer && answer.total > 0 ? (
    <a class="alarm" href={`${addressOf(resource, id)}?tab=conflicts`}>
      {answer.total} {answer.total === 1 ? 'conflict' : 'conflicts'}
    </a>
  ) : null;
}

export function Impact({ data }: { data: any }) {
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
                <span class="aside">{row.effect && row.effect !== 'down' && <Badge value={row.effect} />}</span>
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
