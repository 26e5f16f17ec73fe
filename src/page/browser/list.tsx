/* A list: search, filters, order, columns and pages, all of them in the address. */

import type { Collection, Field, Row, Answer, Values } from './types.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { queryOf, useGet } from './api.js';
import { columnsOf, firstOrder, usualColumns } from './columns.js';
import { Filters } from './filters.js';
import { Value } from './format.js';
import { addressOf, capital, familyOf, fill, labelOf, may, nameOf, namingOf, relationOf, resolve } from './model.js';
import { Failure, Loading, Title } from './parts.js';
import { addressWith, changed, go } from './route.js';

const PAGE_SIZE = 50;

/** @param path of the API, with ids. @param within whether it is shown within a record */
export function List({
  path,
  collection,
  query,
  within = false,
}: {
  path: string;
  collection: Collection;
  query: URLSearchParams;
  within?: boolean;
}) {
  const set = (values: Values): void =>
    go(addressWith(within ? location.hash.slice(1).split('?')[0] : path.slice(4), changed(query, values)));
  const chosen = query.get('columns')?.split(',').filter(Boolean) ?? usualColumns(collection);
  const fields = columnsOf(collection).filter(({ name }) => chosen.includes(name));
  const expand = (collection.expand ?? []).filter((relation) =>
    fields.some(({ name }) => relationOf(name) === relation),
  );
  const own = new URLSearchParams(query);
  for (const name of ['columns', 'tab']) own.delete(name);
  const asked = Object.fromEntries([...new Set(own.keys())].map((name) => [name, own.getAll(name)]));
  const loaded = useGet(
    `${path}${queryOf({ ...asked, ...firstOrder(collection, query), pageSize: PAGE_SIZE, expand: expand.join(',') })}`,
  );
  const exported = (format: string): string =>
    `${path}${queryOf({ ...asked, page: undefined, expand: expand.join(','), format })}`;
  const create = collection.operations.find(({ method, path: at }) => method === 'post' && at === collection.path);
  const actions = collection.operations.filter(
    ({ method, path: at, body }) => method === 'post' && body && at !== collection.path && !at.includes('{'),
  );
  const { answer } = loaded;
  const tools = (
    <span class="tools">
      {actions.filter(may).map((action) => (
        <a class="button" href={`#${path.slice(4)}/do/${action.id}`}>
          {action.summary}
        </a>
      ))}
      {create && may(create) && collection.record && (
        <a class="button primary" href={`#${path.slice(4)}/new`}>
          New {collection.one ?? 'entry'}
        </a>
      )}
    </span>
  );
  return (
    <section class={`list ${loaded.isOld && answer ? 'old' : ''}`} aria-busy={Boolean(loaded.isOld)}>
      {within ? (
        <div class="line">{tools}</div>
      ) : (
        <>
          <Title text={capital(collection.label)} crumbs={[[familyOf(collection.path) ?? '']]}>
            {tools}
          </Title>
          {collection.about && <p class="about">{collection.about}.</p>}
        </>
      )}
      <div class="bar">
        {collection.search && (
          <Search
            value={query.get('search') ?? ''}
            hint={collection.search}
            set={(search) => set({ search, page: undefined })}
          />
        )}
        <Filters collection={collection} query={query} set={set} />
        <span class="tools">
          <Columns collection={collection} chosen={chosen} set={(names) => set({ columns: names.join(',') })} />
          {collection.picture && (
            <a href={exported('svg')} target="_blank" rel="noopener">
              Picture
            </a>
          )}
          <a href={exported('csv')} download>
            CSV
          </a>
        </span>
      </div>
      {loaded.error && <Failure error={loaded.error} retry={loaded.reload} />}
      {!loaded.error && !answer && <Loading />}
      {!loaded.error && answer && (
        <>
          <Table collection={collection} path={path} fields={fields} rows={answer.data} query={query} set={set} />
          <Pages answer={answer} set={set} />
        </>
      )}
    </section>
  );
}

/** Sends what is typed after a moment. */
export function Search({ value, hint, set }: { value: any; hint?: string; set: (value: any) => void }) {
  const [text, setText] = useState(value);
  /** What was sent, and has not come back with the address. A text that was typed since is newer. */
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const at = sent.current.indexOf(value);
    sent.current.splice(0, at < 0 ? sent.current.length : at + 1);
    if (at < 0) setText(value);
  }, [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      sent.current.push(text);
      set(text);
    }, 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="search">
      <span class="hidden">Search this list</span>
      <input
        type="search"
        dir="auto"
        placeholder="Search this list"
        title={hint}
        maxlength={255}
        value={text}
        onInput={({ currentTarget: target }) => setText(target.value)}
      />
    </label>
  );
}

function Columns({ collection, chosen, set }: { collection: Collection; chosen: string[]; set: (value: any) => void }) {
  const all = columnsOf(collection);
  const toggle = (name: string): void =>
    set(all.map((field) => field.name).filter((one) => chosen.includes(one) !== (one === name)));
  return (
    <details class="menu">
      <summary>Columns</summary>
      <fieldset>
        <legend class="hidden">Columns</legend>
        {all.map(({ name }) => (
          <label>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={chosen.length === 1 && chosen.includes(name)}
              onChange={() => toggle(name)}
            />{' '}
            {labelOf(name)}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

const NUMERIC = new Set(['integer', 'number']);

/** Where a row leads: to its own record, or to the record that it is about. */
function addressIn(collection: Collection, path: string, row: Row): string | undefined {
  if (collection.record && row.id) return `#${fill(collection.record, `${path}/${row.id}`).slice(4)}`;
  if (typeof row.path === 'string' && resolve(row.path)) return `#${row.path.slice(4)}`;
  // An entry that names a record has that one's id beside its own: a delivery.
  const about = 'recordId' in row ? row.recordId : row.id;
  if (row.resource && about) return addressOf(row.resource, about);
  const same = resolve(`/api/${path.split('/').at(-1)}/${row.id}`);
  return same?.isRecord && same.collection.type === collection.type
    ? `#/${path.split('/').at(-1)}/${row.id}`
    : undefined;
}

export function Table({
  collection,
  path,
  fields,
  rows,
  query,
  set,
}: {
  collection: Collection;
  path: string;
  fields: Field[];
  rows: Row[];
  query: URLSearchParams;
  set: (value: any) => void;
}) {
  const naming = namingOf(collection);
  /** Leads to the record: its name, or the first field that is no link itself, or the last one. */
  const isPlain = ({ references, referencesBy, of, type }: Field): boolean =>
    !references && !referencesBy && !of && type !== 'array';
  const lead = fields.some(({ name }) => name === naming) ? naming : (fields.find(isPlain) ?? fields.at(-1))?.name;
  const first = firstOrder(collection, query);
  const sorted = query.get('sort') ?? first.sort;
  const order = query.get('order') ?? first.order ?? 'asc';
  const sort = (name: string): void =>
    set({ sort: name, order: sorted === name && order === 'asc' ? 'desc' : 'asc', page: undefined });
  if (rows.length === 0)
    return (
      <p class="empty" role="status">
        Nothing here yet, or nothing matches.
      </p>
    );
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={capital(collection.label)}>
      <table>
        <thead>
          <tr>
            {fields.map(({ name, description, type }) => (
              <th
                scope="col"
                class={NUMERIC.has(type ?? '') ? 'end' : undefined}
                aria-sort={sorted === name ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
              >
                {collection.sort?.includes(name) ? (
                  <button type="button" class="sort" title={description} onClick={() => sort(name)}>
                    {labelOf(name)}
                    <span aria-hidden="true">{sorted === name ? (order === 'asc' ? ' ↑' : ' ↓') : ''}</span>
                  </button>
                ) : (
                  <span title={description}>{labelOf(name)}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const address = addressIn(collection, path, row);
            return (
              <tr key={row.id ?? index}>
                {fields.map((field) => {
                  const isName = field.name === lead && address;
                  return (
                    <td class={NUMERIC.has(field.type ?? '') ? 'end' : undefined}>
                      {isName ? (
                        <a class="name" href={address}>
                          {lead !== naming && isPlain(field) ? (
                            <Value field={field} record={row} />
                          ) : (
                            <bdi>{row[relationOf(field.name)]?.name || nameOf(collection, row) || 'Unnamed'}</bdi>
                          )}
                        </a>
                      ) : (
                        <Value field={field} record={row} />
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Pages({
  answer: { data, total, page, pageSize, hasMore },
  set,
}: {
  answer: Answer;
  set: (value: any) => void;
}) {
  if (page === undefined) return <p class="pages">{data.length} entries</p>;
  const number = new Intl.NumberFormat();
  const first = (page - 1) * pageSize + 1;
  return (
    <nav class="pages" aria-label="Pages">
      <span role="status">
        {data.length > 0
          ? `${number.format(first)} to ${number.format(first + data.length - 1)} of ${number.format(total)}`
          : `${number.format(total)} entries`}
      </span>
      <button type="button" disabled={page === 1} onClick={() => set({ page: page > 2 ? page - 1 : undefined })}>
        Previous
      </button>
      <button type="button" disabled={!hasMore} onClick={() => set({ page: page + 1 })}>
        Next
      </button>
    </nav>
  );
}
