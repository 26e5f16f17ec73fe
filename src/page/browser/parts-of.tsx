/* A short list within a record, with the way to all of it. */

import { queryOf, useGet } from './api.js';
import { collectionAt, below, fieldsOf, fill, may, mayCreate } from './model.js';
import { expandOf, firstOrder } from './columns.js';
import { Loaded } from './parts.js';
import { Table } from './table.js';
import type { Collection, PanelProps } from './types.js';

const SHOWN = 8;

interface ShortProps {
  title: string;
  columns: readonly string[];
  from: string;
  /** Filters, and the whole list with them. */
  filters?: Record<string, string>;
  all: string;
  list: Collection;
  add?: string;
}

export function Short({ title, columns, from, filters = {}, all, list, add }: ShortProps) {
  const fields = columns.flatMap((name) => fieldsOf(list.type).find((field) => field.name === name) ?? []);
  const loaded = useGet(
    `${from}${queryOf({
      ...filters,
      pageSize: SHOWN,
      expand: expandOf(list, fields),
      ...firstOrder(list),
    })}`,
  );
  const total = loaded.answer?.total ?? 0;
  return (
    <section class="card panel" aria-label={title}>
      <h2>
        {title}
        {loaded.answer && <span class="count">{total}</span>}
        {add && (
          <a class="end" href={add}>
            Add
          </a>
        )}
      </h2>
      <Loaded from={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted">None yet.</p>
          ) : (
            <>
              <Table
                collection={list}
                path={from}
                fields={fields}
                rows={data}
                query={new URLSearchParams()}
                label={`${title}, the first of them`}
              />
              {total > data.length && (
                <p class="more">
                  <a href={all}>All {total}</a>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** A list that belongs to the record. */
export function Part({
  path,
  collection,
  name,
  ...rest
}: PanelProps & { name: string; title: string; columns: readonly string[] }) {
  const list = below(collection).parts.find((one) => one.path.endsWith(`/${name}`));
  if (!list) return null;
  const at = `#${path.slice(4)}`;
  return (
    <Short
      {...rest}
      list={list}
      from={fill(list.path, path)}
      all={`${at}?tab=${name}`}
      add={mayCreate(list) && list.record ? `${at}/${name}/new` : undefined}
    />
  );
}

/** The records of a list that refer to the record by a field. */
export function Pointing({
  record,
  list: of,
  field,
  ...rest
}: Omit<PanelProps, 'path' | 'collection'> & {
  list: string;
  field: string;
  title: string;
  columns: readonly string[];
}) {
  const list = collectionAt(`/api${of}`);
  if (!list || !may(list)) return null;
  return (
    <Short
      {...rest}
      list={list}
      from={list.path}
      filters={{ [field]: record.id }}
      all={`#${of}?${field}=${record.id}`}
      add={mayCreate(list) ? `#${of}/new?${field}=${record.id}` : undefined}
    />
  );
}
