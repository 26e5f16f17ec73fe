/* Importing a file into a list: drop it, match its columns, see what would happen, and do it. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { newKey, queryOf, reloadAll, send } from '../api.js';
import { capital, may } from '../model.js';
import { Failure, Title } from '../parts.js';
import { crumbsOf } from '../record.js';
import { go, guard } from '../route.js';
import { say } from '../toasts.js';
import type { Collection, Fault } from '../types.js';
import { matched, remember, rememberedFor, targetsOf, type Target } from './columns.js';
import { readFile, type FileTable } from './file.js';
import { Outcome, type Tried } from './outcome.js';
import { bodyOf, chosenOf, FAULT, fits, stylesOf, type Styles } from './rows.js';

const SEPARATORS: readonly (readonly [string, string])[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
];
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac Roman',
};
const MODES = [
  ['create', 'Create new records'],
  ['update', 'Change existing records'],
  ['upsert', 'Both: change what exists, create the rest'],
] as const;

/** Rows of a file that are shown before it is imported. */
const SHOWN = 5;

interface Summary {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  faults: { row: number; field: string; message: string }[];
  ids: (string | null)[];
}

/** Sends a file. @throws Refused */
async function sendFile(
  path: string,
  body: string,
  query: Record<string, unknown>,
  headers?: Record<string, string>,
): Promise<Summary> {
  const { data } = await send('POST', `${path}/import${queryOf(query)}`, { body, type: 'text/csv', headers });
  return data as Summary;
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
  const targets = useMemo(() => targetsOf(collection), []);
  const [file, setFile] = useState<File>();
  const [table, setTable] = useState<FileTable>();
  const [columns, setColumns] = useState<(string | undefined)[]>([]);
  const [styles, setStyles] = useState<Styles>({ dates: 'dmy', decimals: '.' });
  const [mode, setMode] = useState<string>('create');
  const [keyName, setKeyName] = useState('');
  const [tried, setTried] = useState<Tried>();
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const writeKey = useMemo(newKey, [tried]);
  const back = path.slice(4);
  useEffect(() => {
    guard(table ? () => confirm('Leave without importing the file?') : undefined);
    return () => guard(undefined);
  }, [table]);
  const chosen = chosenOf(columns, targets);
  const keys = chosen.map(({ target }) => target).filter(({ field }) => field.type !== 'array');
  const key = keys.some(({ name }) => name === keyName) ? keyName : (usualKey(keys) ?? '');

  /** Whatever is changed makes what was tried old. */
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      setTried(undefined);
      setError(undefined);
      set(value);
    };
  const open = async (given: File, separator?: string): Promise<void> => {
    setBusy(true);
    setTried(undefined);
    setError(undefined);
    try {
      const read = await readFile(given, separator);
      const known = { ...rememberedFor(collection), [FAULT.toLowerCase()]: '' };
      const found = matched(collection, targets, read.header, known, (at, target) => fits(read, at, target));
      setFile(given);
      setTable(read);
      setColumns(found);
      setStyles(stylesOf(read, chosenOf(found, targets)));
    } catch (fault) {
      setTable(undefined);
      setError(fault as Error);
    }
    setBusy(false);
  };
  const match = (at: number, name: string): void => {
    remember(collection, table!.header[at]!, name);
    // A field has one column.
    const next = columns.map((one, place) => (place === at ? name || undefined : one === name ? undefined : one));
    setColumns(next);
    setStyles(stylesOf(table!, chosenOf(next, targets)));
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
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
      const { text, sent } = await bodyOf(table!, chosen, styles);
      if (sent.length === 0) throw new Error('No row has a value in a column that is imported');
      if (!tried)
        setTried(
          new TriedFile(await sendFile(path, text, { ...query, dryRun: true }), sent, table!, chosen, styles, mode),
        );
      else {
        const { created, updated, unchanged, failed } = await sendFile(path, text, query, {
          'idempotency-key': writeKey,
        });
        guard(undefined);
        const parts = [`${created} created`, `${updated} changed`, `${unchanged} unchanged`];
        say(`${table!.name}: ${[...parts, ...(failed > 0 ? [`${failed} with faults left out`] : [])].join(', ')}`, {
          address: `#${back}`,
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
            {table.name}: {table.rows.length.toLocaleString()} {table.rows.length === 1 ? 'row' : 'rows'},{' '}
            {ENCODINGS[table.encoding]}.{' '}
            <label>
              Separator{' '}
              <select value={table.separator} onChange={({ currentTarget }) => void open(file!, currentTarget.value)}>
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
            columns={columns}
            match={changing(({ at, name }) => match(at, name))}
          />
          <div class="settings">
            <label>
              Dates{' '}
              <select
                value={styles.dates}
                onChange={({ currentTarget }) =>
                  changing(setStyles)({ ...styles, dates: currentTarget.value as Styles['dates'] })
                }
              >
                <option value="dmy">31.12.2026, or 2026-12-31</option>
                <option value="mdy">12/31/2026, or 2026-12-31</option>
              </select>
            </label>
            <label>
              Numbers{' '}
              <select
                value={styles.decimals}
                onChange={({ currentTarget }) =>
                  changing(setStyles)({ ...styles, decimals: currentTarget.value as Styles['decimals'] })
                }
              >
                <option value=".">1,234.50</option>
                <option value=",">1.234,50</option>
              </select>
            </label>
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
              {tried ? `Import ${good.toLocaleString()} ${good === 1 ? 'row' : 'rows'}` : 'Import'}
            </button>
            <a class="button" href={`#${back}`}>
              Cancel
            </a>
            <span class="hint">
              {tried
                ? 'This writes.'
                : 'The first press shows what would happen. Nothing is written before the second.'}
            </span>
          </p>
        </>
      )}
    </form>
  );
}

/** The field by which records are usually found: one that tells them apart. */
const usualKey = (keys: readonly Target[]): string | undefined =>
  ['id', 'assetTag', 'email', 'slug', 'serialNumber'].find((name) => keys.some((one) => one.name === name)) ??
  keys.find(({ field }) => field.naming)?.name ??
  keys[0]?.name;

/** What was tried: the summary, with rows by their place in the file. */
class TriedFile implements Tried {
  readonly faults = new Map<number, string[]>();
  readonly cells: Tried['cells'] = [];

  constructor(
    readonly summary: Summary,
    readonly sent: number[],
    readonly table: FileTable,
    readonly chosen: readonly { at: number; target: Target }[],
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
    // The service names the first faults. Rows without a record have failed all the same.
    for (const [at, id] of summary.ids.entries())
      if (id === null && !this.faults.has(sent[at]!)) this.faults.set(sent[at]!, ['was refused']);
  }
}

function Drop({ name, open }: { name?: string; open: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  return (
    <label
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file) open(file);
      }}
    >
      <span>{name ? 'Another file' : 'Drop a CSV file here, or choose one'}</span>{' '}
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) open(file);
        }}
      />
    </label>
  );
}

/** A column of the file in each row, with the field that it is, and what its first rows have. */
function Matching({
  table,
  targets,
  columns,
  match,
}: {
  table: FileTable;
  targets: readonly Target[];
  columns: readonly (string | undefined)[];
  match: (choice: { at: number; name: string }) => void;
}) {
  const rows = table.rows.slice(0, SHOWN);
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Columns of the file">
      <table>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Is imported as</th>
            {rows.map((_, at) => (
              <th scope="col" key={at}>
                Row {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.header.map((column, at) => (
            <tr key={at}>
              <th scope="row">
                <bdi>{column || `Column ${at + 1}`}</bdi>
              </th>
              <td>
                <select
                  aria-label={`${column || `Column ${at + 1}`} is imported as`}
                  value={columns[at] ?? ''}
                  onChange={({ currentTarget }) => match({ at, name: currentTarget.value })}
                >
                  <option value="">Nothing</option>
                  {targets.map(({ name, label, required }) => (
                    <option key={name} value={name}>
                      {label}
                      {required ? ' *' : ''}
                    </option>
                  ))}
                </select>
              </td>
              {rows.map(({ cells }, place) => (
                <td key={place}>
                  <bdi>{cells[at] ?? ''}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
