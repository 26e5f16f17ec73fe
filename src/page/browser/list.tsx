/* A list: search, filters, order, columns and pages, all of them in the address. */

import type { Answer, Collection, Row, Values } from './types.js';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { queryOf, useGet } from './api.js';
import { AtOnceOf } from './at-once.js';
import { columnsOf, expandOf, firstOrder, usualColumns } from './columns.js';
import { actionsOnList } from './commands.js';
import { Filters } from './filters.js';
import { capital, familyOf, labelOf, lower, manyOf, may, mayCreate, namingOf, restoreOf } from './model.js';
import { byName } from './locale.js';
import { Log } from './log.js';
import { Icon } from './icon.js';
import { useJoined } from './joined.js';
import { CsvLink } from './csv-link.js';
import { INSTEAD, ROWS } from './panels.js';
import { Failure, Loading, Title, Vacant } from './parts.js';
import { ACTION_WORDS, ENTRIES, WAYS } from './prepared.js';
import { AllOf, isTicked, Selected } from './selected.js';
import { addressWith, changed, go } from './route.js';
import { Pages, Table } from './table.js';
import { SaveView, useViews, ViewTabs } from './views.js';

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
  const address = within ? location.hash.slice(1).split('?')[0]! : path.slice(4);
  const set = (values: Values): void => go(addressWith(address, changed(query, values)));
  const isLog = collection.path === ENTRIES;
  const ordered = isLog ? { ...collection, order: '-createdAt' } : collection;
  const chosen = query.get('columns')?.split(',').filter(Boolean) ?? usualColumns(collection);
  // A list within a record does not repeat the owner.
  const fields = columnsOf(collection).filter(
    ({ name }) => chosen.includes(name) && !(within && collection.path.includes(`{${name}}`)),
  );
  const expand = expandOf(collection, fields);
  const own = new URLSearchParams(query);
  for (const name of ['columns', 'tab']) own.delete(name);
  const asked = Object.fromEntries([...new Set(own.keys())].map((name) => [name, own.getAll(name)]));
  const addressOf = (values: Values): string =>
    `${path}${queryOf({ pageSize: PAGE_SIZE, ...asked, ...firstOrder(ordered, query), expand, ...values })}`;
  const loaded = useGet(addressOf({}));
  const exported = (format: string): string =>
    `${path}${queryOf({ ...asked, page: undefined, pageSize: undefined, expand, format })}`;
  const create = mayCreate(collection) && collection.record ? `#${path.slice(4)}/new` : undefined;
  const actions = actionsOnList(collection);
  const { answer } = loaded;
  const Own = query.has('columns') ? undefined : ROWS[collection.path];
  const sorted = { ...firstOrder(ordered, query), ...Object.fromEntries(query) } as { sort?: string; order?: string };
  const rows = inOrderOfPeople(useJoined(collection, answer?.data as Row[] | undefined, chosen), answer, {
    naming: sorted.sort === namingOf(collection) ? sorted.sort : undefined,
    isDescending: sorted.order === 'desc',
  });
  const hasTicks = !within && isTicked(collection);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const narrowing = [...own].filter(([name]) => !['page', 'pageSize', 'sort', 'order'].includes(name));
  // Rows that were ticked on another page count, as long as the list is narrowed in the same way.
  const seen = useMemo(() => new Map<string, Row>(), [path, JSON.stringify(narrowing)]);
  if (!loaded.isOld) for (const row of (answer?.data ?? []) as Row[]) seen.set(row.id, row);
  const tickedRows = [...ticked].flatMap((id) => seen.get(id) ?? []);
  const isNarrowed = narrowing.length > 0;
  const views = useViews(address, query);
  const tools = (
    <span class="tools">
      {WAYS[collection.path] && (
        <a class="button" href={WAYS[collection.path]!.address}>
          <Icon name="calendar" />
          {WAYS[collection.path]!.label}
        </a>
      )}
      <AtOnceOf operations={actions} />
      {actions.map((action) => (
        <a class="button" href={`#${path.slice(4)}/do/${action.id}`}>
          {ACTION_WORDS[action.id] ?? action.summary}
        </a>
      ))}
      {may(collection.import) && (
        <a class="button" href={`#${path.slice(4)}/import`}>
          Import
        </a>
      )}
      {create && (
        <a class="button primary" href={create}>
          <Icon name="plus" />
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
          <ViewTabs path={address} views={views} />
        </>
      )}
      <div class="bar">
        {collection.search && (
          <Search
            value={query.get('search') ?? ''}
            hint={collection.search.replaceAll(/\b[a-z]+[A-Z]\w+/g, (name) => lower(labelOf(name)))}
            set={(search) => set({ search, page: undefined })}
          />
        )}
        <Filters collection={collection} query={query} set={set} />
        {collection.filters.some(({ name, type }) => name === 'within' && type === 'integer') && (
          <Spans value={query.get('within')} set={(days) => set({ within: days, page: undefined })} />
        )}
        <span class="tools">
          {!within && <SaveView path={address} views={views} />}
          {!isLog && (
            <Columns collection={collection} chosen={chosen} set={(names) => set({ columns: names.join(',') })} />
          )}
          {!within && may(restoreOf(collection)) && (
            <a href={`#${path.slice(4)}/deleted`}>
              <Icon name="trash" /> Deleted
            </a>
          )}
          {collection.picture && (
            <a href={exported('svg')} target="_blank" rel="noopener">
              Picture
            </a>
          )}
          <CsvLink address={exported('csv')}>
            <Icon name="arrow-down-tray" /> CSV
          </CsvLink>
        </span>
      </div>
      {loaded.error && <Failure error={loaded.error} retry={loaded.reload} />}
      {!loaded.error && !answer && <Loading />}
      {!loaded.error && answer && (
        <>
          {answer.data.length === 0 && (answer.total ?? 0) > 0 ? (
            <PastTheEnd answer={answer} set={set} />
          ) : answer.data.length === 0 ? (
            <NoRows
              collection={collection}
              isNarrowed={isNarrowed}
              create={create}
              all={addressWith(address, onlyTab(query))}
            />
          ) : (
            <>
              <Selected collection={collection} rows={tickedRows} clear={() => setTicked(new Set())}>
                {ticked.size < answer.total && rows!.every(({ id }) => ticked.has(id)) && (
                  <AllOf
                    address={addressOf({ page: undefined, pageSize: answer.total })}
                    total={answer.total}
                    tick={(all) => {
                      for (const row of all) seen.set(row.id, row);
                      setTicked(new Set(all.map(({ id }) => id)));
                    }}
                  />
                )}
              </Selected>
              {isLog ? (
                <Log entries={rows!} />
              ) : Own ? (
                <Own rows={rows!} />
              ) : (
                <Table
                  collection={collection}
                  path={path}
                  fields={fields}
                  rows={rows!}
                  query={query}
                  set={set}
                  ticked={hasTicks ? ticked : undefined}
                  tick={setTicked}
                />
              )}
              <Pages answer={answer} set={set} />
            </>
          )}
        </>
      )}
    </section>
  );
}

/** The rows of a list without pages, by name if it is sorted by name. */
function inOrderOfPeople<T extends Row>(
  rows: readonly T[] | undefined,
  answer: Answer | undefined,
  { naming, isDescending }: { naming: string | undefined; isDescending: boolean },
): readonly T[] | undefined {
  if (!rows || naming === undefined || !answer || answer.total > rows.length) return rows;
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => sign * byName(String(one[naming] ?? ''), String(other[naming] ?? '')));
}

const onlyTab = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => name === 'tab'));

/** The page does not exist, for example after deleting all its rows. */
function PastTheEnd({ answer, set }: { answer: Answer; set: (values: Values) => void }) {
  const last = Math.ceil(answer.total! / answer.pageSize!);
  return (
    <Vacant icon="inbox">
      <p>This page is past the end: the list has {last === 1 ? 'one page' : `${last} pages`}.</p>
      <button type="button" class="primary" onClick={() => set({ page: last === 1 ? undefined : last })}>
        Go to the last page
      </button>
    </Vacant>
  );
}

/** An empty list, with the possible next steps. */
function NoRows({
  collection,
  isNarrowed,
  create,
  all,
}: {
  collection: Collection;
  isNarrowed: boolean;
  create?: string;
  all: string;
}) {
  if (isNarrowed)
    return (
      <Vacant icon="funnel">
        <p>Nothing matches.</p>
        <a class="button" href={all}>
          Show all
        </a>
      </Vacant>
    );
  const Instead = INSTEAD[collection.path];
  if (Instead) return <Instead />;
  return (
    <Vacant icon="inbox">
      <p>{collection.record ? `There are no ${manyOf(collection)} yet.` : 'There is nothing here.'}</p>
      {create && (
        <a class="button primary" href={create}>
          <Icon name="plus" />
          Add the first {collection.one ?? 'entry'}
        </a>
      )}
    </Vacant>
  );
}

const SPANS = [30, 60, 90, 365];

/** Number of days ahead. */
const Spans = ({ value, set }: { value: string | null; set: (days: number) => void }) => (
  <span class="spans" role="group" aria-label="How far ahead">
    {SPANS.map((days) => (
      <button key={days} type="button" class="quiet" aria-pressed={value === String(days)} onClick={() => set(days)}>
        {days === 365 ? '1 year' : `${days} days`}
      </button>
    ))}
  </span>
);

/** Submits the text after a pause. */
function Search({ value, hint, set }: { value: any; hint?: string; set: (value: any) => void }) {
  const [text, setText] = useState(value);
  /** Submitted, but not in the address yet. A text that was typed since then is newer. */
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
      <summary>
        <Icon name="view-columns" />
        Columns
      </summary>
      <fieldset>
        <legend class="hidden">Columns</legend>
        {all.map(({ name, label }) => (
          <label>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={chosen.length === 1 && chosen.includes(name)}
              onChange={() => toggle(name)}
            />{' '}
            {labelOf({ name, label })}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
