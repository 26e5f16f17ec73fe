/* The table of a list, and the pages that it has. */

import { LOCALE } from './locale.js';
import type { Answer, Collection, Field, Row } from './types.js';
import { onceKey, reloadAll, send } from './api.js';
import { filledOf, firstOrder, sortOf } from './columns.js';
import { classOf, expandedIn, Value } from './format.js';
import { addressOf, capital, fill, labelOf, nameOf, namingOf, resolve } from './model.js';
import { Beside } from './names.js';
import { RECORDS_OF, ROW_ACTIONS } from './prepared.js';
import { Tick, useRange } from './selected.js';
import { say, sayRefusal } from './toasts.js';

const PAGE_SIZES = [25, 50, 100, 250];

/** The link of a row: to its own record, or to the record that it is about. */
function addressIn(collection: Collection, path: string, row: Row): string | undefined {
  if (collection.record && row.id) return `#${fill(collection.record, `${path}/${row.id}`).slice(4)}`;
  if (typeof row.path === 'string' && resolve(row.path)) return `#${row.path.slice(4)}`;
  // An entry about a record also has that record's id: a delivery.
  const about = 'recordId' in row ? row.recordId : row.id;
  if (row.resource && about) return addressOf(row.resource, about);
  const of = RECORDS_OF[path.split('/').at(-1)!];
  if (of && row.id) return addressOf(of, row.id);
  const same = resolve(`/api/${path.split('/').at(-1)}/${row.id}`);
  return same?.isRecord && same.collection.type === collection.type
    ? `#/${path.split('/').at(-1)}/${row.id}`
    : undefined;
}

/** Does something with a row, and says so. */
async function act(path: string, label: string): Promise<void> {
  try {
    await send('POST', path, { headers: onceKey() });
    say(`${label}: done`);
  } catch (refused) {
    sayRefusal(refused);
  }
  reloadAll();
}

export function Table({
  collection,
  path,
  fields: all,
  rows,
  query,
  set,
  ticked,
  tick,
  label = capital(collection.label),
}: {
  collection: Collection;
  path: string;
  fields: Field[];
  rows: readonly Row[];
  query: URLSearchParams;
  /** Changes the order; without it the table cannot be sorted. */
  set?: (value: any) => void;
  /** Ids of the ticked rows; without them there is nothing to tick. */
  ticked?: ReadonlySet<string>;
  tick?: (ids: ReadonlySet<string>) => void;
  /** What the table is called, if not as its list. */
  label?: string;
}) {
  const fields = filledOf(collection, all, rows, query);
  const naming = namingOf(collection);
  const range = useRange(rows.map(({ id }) => id));
  const leads = rows.some((row) => addressIn(collection, path, row) !== undefined);
  /** The column with the link to the record: the name, or the first field that is not itself a link, or the last one. */
  const isPlain = ({ references, referencesBy, of, type }: Field): boolean =>
    !references && !referencesBy && !of && type !== 'array';
  const lead = !leads
    ? fields[0]?.name
    : fields.some(({ name }) => name === naming)
      ? naming
      : (fields.find(isPlain) ?? fields.at(-1))?.name;
  const action = ROW_ACTIONS[path.split('/').at(-1)!];
  const first = firstOrder(collection, query);
  const sorted = query.get('sort') ?? first.sort;
  const order = query.get('order') ?? first.order ?? 'asc';
  const sort = (name: string): void =>
    set?.({ sort: name, order: sorted === name && order === 'asc' ? 'desc' : 'asc', page: undefined });
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table class="records">
        <thead>
          <tr>
            {ticked && (
              <th scope="col" class="tick">
                <Tick name="Tick all of this page" ids={rows.map(({ id }) => id)} ticked={ticked} tick={tick} />
              </th>
            )}
            {fields.map((field) => {
              const { description } = field;
              const key = sortOf(collection, field);
              const isSorted = key !== undefined && sorted === key;
              return (
                <th
                  scope="col"
                  class={classOf(field)}
                  aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
                >
                  {set && key !== undefined ? (
                    <button type="button" class="sort" title={description} onClick={() => sort(key)}>
                      {labelOf(field)}
                      <span aria-hidden="true">{isSorted ? (order === 'asc' ? ' ↑' : ' ↓') : ''}</span>
                    </button>
                  ) : (
                    <span title={description}>{labelOf(field)}</span>
                  )}
                </th>
              );
            })}
            {action && (
              <th scope="col">
                <span class="hidden">{action.label}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const address = addressIn(collection, path, row);
            return (
              <tr key={row.id ?? index}>
                {ticked && (
                  <td class="tick">
                    <Tick
                      name={`Tick ${nameOf(collection, row)}`}
                      ids={[row.id]}
                      ticked={ticked}
                      tick={tick}
                      range={range}
                    />
                  </td>
                )}
                {fields.map((field) => {
                  const isName = field.name === lead && address;
                  return (
                    <td class={field.name === lead ? 'lead' : classOf(field)} data-label={labelOf(field)}>
                      {isName ? (
                        <a class="name" href={address}>
                          {lead !== naming && isPlain(field) ? (
                            <Value field={field} record={row} />
                          ) : (
                            <bdi>{expandedIn(row, field.name)?.name || nameOf(collection, row) || 'Unnamed'}</bdi>
                          )}
                        </a>
                      ) : (
                        <Value field={field} record={row} />
                      )}
                      {field.name === 'recordName' && <Beside resource={row.resource} id={row.recordId} />}
                    </td>
                  );
                })}
                {action && (
                  <td class="end">
                    <button type="button" onClick={() => void act(`${path}/${row.id}/${action.path}`, action.label)}>
                      {action.label}
                    </button>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function Pages({
  answer: { data, total, page, pageSize, hasMore },
  set,
}: {
  answer: Answer;
  set: (value: any) => void;
}) {
  if (page === undefined) return <p class="pages">{data.length} entries</p>;
  const number = new Intl.NumberFormat(LOCALE);
  const first = (page - 1) * pageSize + 1;
  return (
    <nav class="pages" aria-label="Pages">
      <span role="status">
        {data.length > 0
          ? `${number.format(first)} to ${number.format(first + data.length - 1)} of ${number.format(total)}`
          : `${number.format(total)} entries`}
      </span>
      <Steps page={page} hasMore={hasMore} set={(next) => set({ page: next })} />
      {total > PAGE_SIZES[0]! && (
        <label>
          Rows{' '}
          <select
            class="short"
            value={pageSize}
            onChange={({ currentTarget: { value } }) => set({ pageSize: value, page: undefined })}
          >
            {[...new Set([...PAGE_SIZES, pageSize])]
              .toSorted((one, other) => one - other)
              .map((size) => (
                <option key={size} value={size}>
                  {size}
                </option>
              ))}
          </select>
        </label>
      )}
    </nav>
  );
}

/** The buttons to the previous and the next page. The first page is not in the address. */
export const Steps = ({
  page,
  hasMore,
  set,
}: Pick<Answer, 'hasMore'> & { page: number; set: (page: number | undefined) => void }) => (
  <>
    <button type="button" disabled={page === 1} onClick={() => set(page > 2 ? page - 1 : undefined)}>
      Previous
    </button>
    <button type="button" disabled={!hasMore} onClick={() => set(page + 1)}>
      Next
    </button>
  </>
);
