/* What an import would do: what it would create, what it would change from what to what, and the faults. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf } from '../api.js';
import { expandOf } from '../columns.js';
import { nameOf } from '../model.js';
import type { Collection, Row } from '../types.js';
import type { Target } from './columns.js';
import type { FileTable } from './file.js';
import { faultyFile, valueOf, type Styles } from './rows.js';

export interface Tried {
  summary: {
    rows: number;
    created: number;
    updated: number;
    unchanged: number;
    failed: number;
    ids: (string | null)[];
  };
  /** Places in the file of the rows that were sent. */
  sent: readonly number[];
  table: FileTable;
  chosen: readonly { at: number; target: Target }[];
  styles: Styles;
  mode: string;
  /** Faults of rows, by their place. */
  faults: ReadonlyMap<number, readonly string[]>;
  /** Faults of cells. */
  cells: { place: number; column: string; cell: string; message: string }[];
}

/** Changes and faults that are shown. */
const SHOWN = 100;
/** Records that one request reads. */
const ASKED = 50;

interface Change {
  place: number;
  name: string;
  values: { label: string; from: string; to: string }[];
}

export function Outcome({ path, collection, tried }: { path: string; collection: Collection; tried: Tried }) {
  const { summary, table, faults, cells } = tried;
  const changes = useChanges(path, collection, tried);
  const number = new Intl.NumberFormat();
  return (
    <section class="outcome" aria-label="What would happen">
      <h2>What would happen</h2>
      <p role="status">
        {number.format(summary.created)} created, {number.format(summary.updated)} changed,{' '}
        {number.format(summary.unchanged)} unchanged, {number.format(summary.failed)} with faults. Nothing is written
        yet.
      </p>
      {changes.length > 0 && (
        <Entries
          label="Changes"
          heads={['Row', 'Record', 'Field', 'From', 'To']}
          rows={changes.flatMap(({ place, name, values }) =>
            values.map(({ label, from, to }) => [String(place + 1), name, label, from, to]),
          )}
          more={summary.updated - changes.length}
        />
      )}
      {cells.length > 0 && (
        <Entries
          label="Faults"
          heads={['Row', 'Line', 'Column', 'Cell', 'Fault']}
          rows={cells
            .slice(0, SHOWN)
            .map(({ place, column, cell, message }) => [
              String(place + 1),
              String(table.rows[place]!.line),
              column,
              cell,
              message,
            ])}
          more={cells.length - SHOWN}
        />
      )}
      {faults.size > 0 && (
        <p>
          <button type="button" onClick={() => void download(tried)}>
            Download the {number.format(faults.size)} faulty {faults.size === 1 ? 'row' : 'rows'}
          </button>{' '}
          <span class="hint">They are left out. Mend the file, and import it again.</span>
        </p>
      )}
    </section>
  );
}

function Entries({ label, heads, rows, more }: { label: string; heads: string[]; rows: string[][]; more: number }) {
  return (
    <>
      <h3>{label}</h3>
      <div class="scroll" tabindex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column}>
                    <bdi>{cell}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p class="muted">{more.toLocaleString()} more.</p>}
    </>
  );
}

/** Saves the faulty rows as a file of the browser. */
async function download(tried: Tried): Promise<void> {
  const text = await faultyFile(tried.table, tried.faults);
  // Excel knows UTF-8 by the mark.
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = tried.table.name.replace(/(?:\.\w+)?$/, '-faults.csv');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The first changes, read from the records as they are. */
function useChanges(path: string, collection: Collection, tried: Tried): Change[] {
  const [changes, setChanges] = useState<Change[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    setChanges([]);
    if (tried.mode === 'create' || tried.summary.updated === 0) return undefined;
    void readChanges(path, collection, tried, controller.signal).then(setChanges, () => {});
    return () => controller.abort();
  }, [tried]);
  return changes;
}

async function readChanges(path: string, collection: Collection, tried: Tried, signal: AbortSignal): Promise<Change[]> {
  const { summary, sent } = tried;
  const wanted = Math.min(summary.updated, SHOWN);
  const found: Change[] = [];
  const expand = expandOf(
    collection,
    tried.chosen.map(({ target }) => target.field),
  );
  for (let at = 0; at < summary.ids.length && found.length < wanted; at += ASKED) {
    const ids = summary.ids.slice(at, at + ASKED);
    const known = ids.filter((id) => id !== null);
    const { data } = await get(`${path}${queryOf({ id: known, pageSize: ASKED, expand })}`, signal);
    const records = new Map((data as Row[]).map((record) => [record.id, record]));
    for (const [index, id] of ids.entries()) {
      const record = id === null ? undefined : records.get(id);
      if (!record) continue;
      const place = sent[at + index]!;
      const values = differencesOf(record, place, tried);
      if (values.length > 0) found.push({ place, name: nameOf(collection, record), values });
    }
  }
  return found.slice(0, wanted);
}

function differencesOf(record: Row, place: number, { table, chosen, styles }: Tried): Change['values'] {
  return chosen.flatMap(({ at, target }) => {
    const to = valueOf(table.rows[place]!.cells[at] ?? '', target, styles);
    // An empty cell is not given.
    if (to === '') return [];
    const from = shown(record, target);
    return isSame(from, to, target) ? [] : [{ label: target.label, from, to }];
  });
}

/** The value of a record as a file would have it. */
function shown(record: Row, { name, field }: Target): string {
  const [first = '', second] = name.split('.');
  const relation: unknown = second === undefined ? undefined : record[first];
  const joined: unknown =
    second === undefined ? undefined : record[`${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`];
  const value: unknown =
    second === undefined
      ? record[name]
      : typeof relation === 'object' && relation !== null
        ? ((relation as Row)[second] ?? (relation as Row).name)
        : joined;
  if (value === null || value === undefined) return '';
  if (field.day || field.format === 'date') return String(value).slice(0, 10);
  return Array.isArray(value) ? value.join(',') : String(value as string);
}

const isSame = (from: string, to: string, { name, field }: Target): boolean =>
  from === to ||
  ((field.decimal || field.type === 'number') && from !== '' && Number(from) === Number(to)) ||
  (field.format === 'date-time' && Date.parse(from) === Date.parse(to)) ||
  (name.endsWith('email') && from.toLowerCase() === to.toLowerCase());
