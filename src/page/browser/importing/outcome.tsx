/* The preview of an import: new records, changes with old and new values, and the faults. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf } from '../api.js';
import { expandOf } from '../columns.js';
import { nameOf } from '../model.js';
import type { Collection, Row } from '../types.js';
import { LOCALE } from '../locale.js';
import { localIn } from '../zones.js';
import type { Target } from './columns.js';
import type { FileTable } from './file.js';
import { faultyFile, isTime, valueOf, valuesOf, type Column, type Styles } from './rows.js';

export interface Tried {
  summary: {
    rows: number;
    created: number;
    updated: number;
    unchanged: number;
    failed: number;
    ids: (string | null)[];
  };
  /** Positions in the file of the rows that were sent. */
  sent: readonly number[];
  table: FileTable;
  chosen: readonly Column[];
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

/** The first records to be changed, and the positions of new ones. */
interface Effects {
  changes: Change[];
  created: number[];
}

export function Outcome({ path, collection, tried }: { path: string; collection: Collection; tried: Tried }) {
  const { summary, table, chosen, styles, faults, cells } = tried;
  const { changes, created } = useEffects(path, collection, tried);
  const number = new Intl.NumberFormat(LOCALE);
  return (
    <section class="outcome" aria-label="What would happen">
      <h2>What would happen</h2>
      <p role="status">
        {number.format(summary.created)} created, {number.format(summary.updated)} changed,{' '}
        {number.format(summary.unchanged)} unchanged, {number.format(summary.failed)} with faults. Nothing is written
        yet.
      </p>
      {created.length > 0 && (
        <Entries
          label="New records"
          heads={['Row', ...chosen.map(({ target }) => headOf(target, styles))]}
          rows={created.map((place) => [
            String(place + 1),
            ...valuesOf(table.rows[place]!, chosen, styles).map((value, at) =>
              shownIn(value, chosen[at]!.target, styles),
            ),
          ])}
          more={summary.created - created.length}
        />
      )}
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
          <span class="hint">They are left out. Correct the file, and import it again.</span>
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
      {more > 0 && <p class="muted">{more.toLocaleString(LOCALE)} more.</p>}
    </>
  );
}

/** Saves the faulty rows as a file of the browser. */
async function download(tried: Tried): Promise<void> {
  const text = await faultyFile(tried.table, tried.faults);
  // Excel recognizes UTF-8 by the mark.
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = tried.table.name.replace(/(?:\.\w+)?$/, '-faults.csv');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The new records and the changes. The current records are read for this. */
function useEffects(path: string, collection: Collection, tried: Tried): Effects {
  const [effects, setEffects] = useState<Effects>({ changes: [], created: [] });
  useEffect(() => {
    const controller = new AbortController();
    const { ids } = tried.summary;
    const good = ids.flatMap((id, at) => (id === null ? [] : [tried.sent[at]!]));
    // The records of a file that only creates do not exist yet.
    setEffects({ changes: [], created: tried.mode === 'create' ? good.slice(0, SHOWN) : [] });
    if (tried.mode === 'create') return undefined;
    void readEffects(path, collection, tried, controller.signal).then(setEffects, () => {});
    return () => controller.abort();
  }, [tried]);
  return effects;
}

async function readEffects(path: string, collection: Collection, tried: Tried, signal: AbortSignal): Promise<Effects> {
  const { summary, sent } = tried;
  const wanted = { changes: Math.min(summary.updated, SHOWN), created: Math.min(summary.created, SHOWN) };
  const changes: Change[] = [];
  const created: number[] = [];
  const isComplete = (): boolean => changes.length >= wanted.changes && created.length >= wanted.created;
  const expand = expandOf(
    collection,
    tried.chosen.map(({ target }) => target.field),
  );
  for (let at = 0; at < summary.ids.length && !isComplete(); at += ASKED) {
    const ids = summary.ids.slice(at, at + ASKED);
    const known = ids.filter((id) => id !== null);
    if (known.length === 0) continue;
    const { data } = await get(`${path}${queryOf({ id: known, pageSize: ASKED, expand })}`, signal);
    const records = new Map((data as Row[]).map((record) => [record.id, record]));
    for (const [index, id] of ids.entries()) {
      if (id === null) continue;
      const place = sent[at + index]!;
      const record = records.get(id);
      const values = record ? differencesOf(record, place, tried) : [];
      if (!record) created.push(place);
      else if (values.length > 0) changes.push({ place, name: nameOf(collection, record), values });
    }
  }
  return { changes: changes.slice(0, wanted.changes), created: created.slice(0, wanted.created) };
}

function differencesOf(record: Row, place: number, { table, chosen, styles }: Tried): Change['values'] {
  return chosen.flatMap((column) => {
    const { at, target } = column;
    const to = valueOf(table.rows[place]!.cells[at] ?? '', column, styles);
    // An empty cell means no value.
    if (to === '') return [];
    const from = shown(record, target);
    if (isSame(from, to, target)) return [];
    return [{ label: headOf(target, styles), from: shownIn(from, target, styles), to: shownIn(to, target, styles) }];
  });
}

/** A field, with the zone in which its times are shown. */
const headOf = (target: Target, { zone }: Styles): string =>
  isTime(target) ? `${target.label} (${zone})` : target.label;

/** A value as it will be stored; a time in the zone of the file. */
function shownIn(value: string, target: Target, { zone }: Styles): string {
  if (!isTime(target) || !value.endsWith('Z')) return value;
  return localIn(Date.parse(value), zone).replace('T', ' ');
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
