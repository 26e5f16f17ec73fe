/* Importing a file into a list: drop it, match its columns, check the preview, and import. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { useKey, queryOf, reloadAll, send } from '../api.js';
import { LOCALE } from '../locale.js';
import { capital, may } from '../model.js';
import { Failure, Title } from '../parts.js';
import { idOf, planned, usePlanOfMany } from '../plan.js';
import { crumbsOf } from '../record.js';
import { go, guard } from '../route.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import type { Collection, Fault } from '../types.js';
import { zones } from '../zones.js';
import { matched, remember, rememberedFor, targetsOf, type Target } from './columns.js';
import { Drop } from './drop.js';
import { ENCODINGS } from './encodings.js';
import { readFile, type FileTable, type Reading } from './file.js';
import { Matching } from './matching.js';
import { Outcome, type Tried } from './outcome.js';
import { bodyOf, FAULT, fits, isTime, read, type Column, type Styles } from './rows.js';

const SEPARATORS: readonly (readonly [string, string])[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
];
const MODES = [
  ['create', 'Create new records'],
  ['update', 'Change existing records'],
  ['upsert', 'Both: change what exists, create the rest'],
] as const;

interface Summary {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  faults: { row: number; field: string; message: string }[];
  ids: (string | null)[];
  requestId?: string;
}

/** Sends a file. @throws Refused */
async function sendFile(
  path: string,
  body: string,
  query: Record<string, unknown>,
  headers?: Record<string, string>,
): Promise<Summary> {
  const asked = `${path}/import${queryOf(query)}`;
  const { data, requestId } = await send('POST', asked, { body, type: 'text/csv', headers });
  return { ...(data as Summary), requestId };
}

export function Importing({ path, collection }: { path: string; collection: Collection }) {
  const back = path.slice(4);
  const label = capital(collection.label);
  const title = `Import ${collection.label}`;
  const isPart = collection.path.includes('{');
  return (
    <>
      <Title text={title} crumbs={isPart ? crumbsOf(collection, `${path}/import`) : [[label, `#${back}`]]} />
      {!may(collection.import) ? <p>You may not import here.</p> : <Steps path={path} collection={collection} />}
    </>
  );
}

function Steps({ path, collection }: { path: string; collection: Collection }) {
  const targets = useMemo(() => targetsOf(collection), [collection]);
  const [file, setFile] = useState<File>();
  const [table, setTable] = useState<FileTable>();
  const [names, setNames] = useState<(string | undefined)[]>([]);
  /** The user's choices about the values of the file, whether or not its columns determine them. */
  const [said, setSaid] = useState<Partial<Styles>>({});
  const [mode, setMode] = useState<string>('create');
  const [keyName, setKeyName] = useState('');
  const [tried, setTried] = useState<Tried>();
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const keyOf = useKey();
  const plan = usePlanOfMany(collection);
  const back = path.slice(4);
  useEffect(() => {
    guard(table ? () => confirm('Leave without importing the file?') : undefined);
    return () => guard(undefined);
  }, [table]);
  const found = useMemo(() => table && read(table, names, targets), [table, names]);
  const styles = found && { ...found.styles, ...said };
  const chosen = (found?.columns ?? []).map((column): Column => ({
    ...column,
    dates: said.dates ?? column.dates,
    decimals: said.decimals ?? column.decimals,
  }));
  const keys = chosen.map(({ target }) => target).filter(({ field }) => field.type !== 'array');
  const key = keys.some(({ name }) => name === keyName) ? keyName : (usualKey(keys) ?? '');

  /** Any change makes the preview outdated. */
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      setTried(undefined);
      setError(undefined);
      set(value);
    };
  const open = async (given: File, reading?: Reading): Promise<void> => {
    setBusy(true);
    setTried(undefined);
    setError(undefined);
    try {
      const next = await readFile(given, reading);
      const known = { ...rememberedFor(collection), [FAULT.toLowerCase()]: '' };
      setFile(given);
      setTable(next);
      setSaid({});
      setNames(matched(collection, targets, next.header, known, (at, target) => fits(next, at, target)));
    } catch (fault) {
      setTable(undefined);
      setError(fault as Error);
    }
    setBusy(false);
  };
  const match = (at: number, name: string): void => {
    remember(collection, table!.header[at]!, name);
    // A field has one column.
    setNames(names.map((one, place) => (place === at ? name || undefined : one === name ? undefined : one)));
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!table!.isSure) return setError({ message: 'Choose the encoding in which the names of the file read right' });
    if (styles!.decimals === undefined)
      return setError({ message: 'Choose how numbers are written: 1,500 may be fifteen hundred, or one and a half' });
    const missing = targets.filter(
      ({ required, field }) => required && !chosen.some(({ target }) => target.field.name === field.name),
    );
    if (mode !== 'update' && missing.length > 0)
      return setError({
        message: `Choose a column for: ${[...new Set(missing.map((one) => one.label.split(',')[0]))].join(', ')}`,
      });
    setBusy(true);
    setError(undefined);
    const query = { mode, key: mode === 'create' ? undefined : key, onError: 'skip', report: 'ids' };
    try {
      const { text, sent } = await bodyOf(table!, chosen, styles!);
      if (sent.length === 0) throw new Error('No row has a value in a column that is imported');
      if (!tried)
        setTried(
          new TriedFile(await sendFile(path, text, { ...query, dryRun: true }), sent, table!, chosen, styles!, mode),
        );
      else {
        const asked = plan ? { ...query, report: undefined, changeSet: idOf(plan) } : query;
        const summary = await sendFile(path, text, asked, keyOf(text, asked));
        guard(undefined);
        if (plan) {
          planned(plan, `The import of ${table!.name}`);
          return go(back);
        }
        const { created, updated, unchanged, failed } = summary;
        const parts = [`${created} created`, `${updated} changed`, `${unchanged} unchanged`];
        say(`${table!.name}: ${[...parts, ...(failed > 0 ? [`${failed} with faults left out`] : [])].join(', ')}`, {
          address: `#${back}`,
          undo: created + updated > 0 ? undoOf(summary) : undefined,
        });
        reloadAll();
        go(back);
        return;
      }
    } catch (refused) {
      if ((refused as Fault).status !== 401) setError(refused as Fault);
    }
    setBusy(false);
  };
  const good = tried ? tried.summary.rows - tried.summary.failed : 0;
  return (
    <form class="form importing" aria-busy={isBusy} onSubmit={(event) => void submit(event)}>
      <Drop name={table?.name} open={(given) => void open(given)} />
      {error && <Failure error={error} />}
      {table && (
        <>
          <p role="status">
            {table.name}: {table.rows.length.toLocaleString(LOCALE)} {table.rows.length === 1 ? 'row' : 'rows'},{' '}
            {table.isSure ? `${ENCODINGS[table.encoding]}.` : 'in an encoding that it does not tell.'}{' '}
            <label>
              Encoding{' '}
              <select
                value={table.isSure ? table.encoding : ''}
                onChange={({ currentTarget }) =>
                  void open(file!, { encoding: currentTarget.value, separator: table.separator })
                }
              >
                {!table.isSure && (
                  <option value="" disabled>
                    Choose
                  </option>
                )}
                {Object.entries(ENCODINGS).map(([name, label]) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </select>
            </label>{' '}
            <label>
              Separator{' '}
              <select
                value={table.separator}
                onChange={({ currentTarget }) =>
                  void open(file!, {
                    encoding: table.isSure ? table.encoding : undefined,
                    separator: currentTarget.value,
                  })
                }
              >
                {SEPARATORS.map(([sign, name]) => (
                  <option key={name} value={sign}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </p>
          <Matching
            table={table}
            targets={targets}
            columns={names}
            match={changing(({ at, name }) => match(at, name))}
          />
          <div class="settings">
            <label>
              Dates{' '}
              <select
                value={styles!.dates}
                onChange={({ currentTarget }) =>
                  changing(setSaid)({ ...said, dates: currentTarget.value as Styles['dates'] })
                }
              >
                <option value="dmy">31.12.2026 14:30, or 2026-12-31 14:30</option>
                <option value="mdy">12/31/2026 2:30 PM, or 2026-12-31 14:30</option>
              </select>
            </label>
            <label>
              Numbers{' '}
              <select
                value={styles!.decimals ?? ''}
                onChange={({ currentTarget }) =>
                  changing(setSaid)({ ...said, decimals: currentTarget.value as Styles['decimals'] })
                }
              >
                {!styles!.decimals && (
                  <option value="" disabled>
                    Choose
                  </option>
                )}
                <option value=".">1,234.50</option>
                <option value=",">1.234,50</option>
              </select>
            </label>
            {chosen.some(({ target }) => isTime(target)) && (
              <label>
                Times are in{' '}
                <select
                  value={styles!.zone}
                  onChange={({ currentTarget }) => changing(setSaid)({ ...said, zone: currentTarget.value })}
                >
                  {[...new Set([styles!.zone, 'UTC', ...zones()])].map((zone) => (
                    <option key={zone} value={zone}>
                      {zone}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <label>
              What to do{' '}
              <select value={mode} onChange={({ currentTarget }) => changing(setMode)(currentTarget.value)}>
                {MODES.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
            {mode !== 'create' && (
              <label>
                Found by{' '}
                <select value={key} onChange={({ currentTarget }) => changing(setKeyName)(currentTarget.value)}>
                  {keys.map((one) => (
                    <option key={one.name} value={one.name}>
                      {one.label}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </div>
          {tried && <Outcome path={path} collection={collection} tried={tried} />}
          <p class="line">
            <button class="primary" disabled={isBusy || chosen.length === 0 || (tried !== undefined && good === 0)}>
              {tried && plan
                ? 'Plan'
                : tried
                  ? `Import ${good.toLocaleString(LOCALE)} ${good === 1 ? 'row' : 'rows'}`
                  : 'Import'}
            </button>
            <a class="button" href={`#${back}`}>
              Cancel
            </a>
            <span class="hint">
              {plan
                ? 'The first click shows a preview. The second one plans it.'
                : tried
                  ? 'This writes.'
                  : 'The first click shows a preview. Only the second one writes.'}
            </span>
          </p>
        </>
      )}
    </form>
  );
}

/** The usual key field: one that identifies records. */
const usualKey = (keys: readonly Target[]): string | undefined =>
  ['id', 'assetTag', 'email', 'slug', 'serialNumber'].find((name) => keys.some((one) => one.name === name)) ??
  keys.find(({ field }) => field.naming)?.name ??
  keys[0]?.name;

/** The result of the dry run: the summary, with rows by their position in the file. */
class TriedFile implements Tried {
  readonly faults = new Map<number, string[]>();
  readonly cells: Tried['cells'] = [];

  constructor(
    readonly summary: Summary,
    readonly sent: number[],
    readonly table: FileTable,
    readonly chosen: readonly Column[],
    readonly styles: Styles,
    readonly mode: string,
  ) {
    for (const { row, field, message } of summary.faults) {
      const place = sent[row - 1]!;
      const column = chosen.find(({ target }) => target.name === field || target.field.name === field);
      this.cells.push({
        place,
        column: column ? table.header[column.at]! : field,
        cell: column ? (table.rows[place]!.cells[column.at] ?? '') : '',
        message,
      });
      this.faults.set(place, [
        ...(this.faults.get(place) ?? []),
        `${column ? table.header[column.at]! : field} ${message}`.trim(),
      ]);
    }
    // The service lists only the first faults. Rows without a record have failed too.
    for (const [at, id] of summary.ids.entries())
      if (id === null && !this.faults.has(sent[at]!)) this.faults.set(sent[at]!, ['was refused']);
  }
}
