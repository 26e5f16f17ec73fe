/* Changing one field of all ticked rows: once a value is chosen, a preview, and then the change, in one request. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { useKey, reloadAll, send } from '../api.js';
import { writable } from '../writing.js';
import { Value } from '../format.js';
import { Icon } from '../icon.js';
import { Input } from '../inputs.js';
import { labelOf, nameOf, operationOn } from '../model.js';
import { fewOf, OneOf } from './one-of.js';
import { undoOf } from '../undo.js';
import { Dialog } from '../parts.js';
import { planned, queryIn, usePlanOfMany } from '../plan.js';
import { PlannedIn } from '../planned-records.js';
import { Frame, useTask } from '../task.js';
import { say } from '../toasts.js';
import type { Collection, Fault, Field, Row, SelectionProps, Values } from '../types.js';

interface Result {
  id: string;
  status: 'updated' | 'unchanged';
  record: Row;
}

/** The fields that can be set for many records at once. */
const fieldsOfAll = (collection: Collection): Field[] =>
  writable(operationOn(collection, 'patch')?.body).filter(({ of, naming, fixed }) => !of && !naming && !fixed);

/** Milliseconds after the last change of the value. */
const PAUSE = 250;

export function BulkEdit(props: SelectionProps) {
  const [isOpen, setOpen] = useState(false);
  const title = `Change a field of ${props.rows.length} ${props.rows.length === 1 ? 'record' : 'records'}`;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Icon name="pencil-square" />
        Change a field
      </button>
      {isOpen && (
        <Dialog label={title} close={() => setOpen(false)}>
          <h2>{title}</h2>
          <Changing {...props} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function Changing({ collection, rows, clear, close }: SelectionProps & { close: () => void }) {
  // The fields of the installation may arrive while the dialog is open.
  const fields = useMemo(() => fieldsOfAll(collection), [collection]);
  const [field, setField] = useState<Field>(() => fields.find(({ name }) => name === 'status') ?? fields[0]!);
  /** Undefined before the first choice: null is the choice of no value. */
  const [value, setValue] = useState<unknown>();
  const [isOther, setOther] = useState(false);
  const [tried, setTried] = useState<Result[]>();
  const keyOf = useKey();
  // The change set shows the effects, together with its other changes.
  const plan = usePlanOfMany(collection);
  const data: Values = { [field.name]: value === '' || value === undefined ? null : value };
  const body = { operations: rows.map(({ id }) => ({ op: 'update', id, data })) };
  const doing = useTask(
    async () => {
      const answer = await send('POST', `${collection.path}/bulk${queryIn(plan)}`, { body, headers: keyOf(body) });
      const { updated } = answer.data as { updated: number };
      clear();
      close();
      if (plan) return planned(plan, `${labelOf(field)} of ${rows.length} ${rows.length === 1 ? 'record' : 'records'}`);
      say(`${labelOf(field)} of ${updated} ${updated === 1 ? 'record' : 'records'} changed`, { undo: undoOf(answer) });
      reloadAll();
    },
    { named: (refused) => named(refused, collection, rows) },
  );
  /** A new choice needs a new preview. */
  const change = (next: unknown): void => {
    setValue(next);
    setTried(undefined);
    doing.refuse(undefined);
  };
  const choose = (name: string): void => {
    setField(fields.find((one) => one.name === name)!);
    setOther(false);
    change(undefined);
  };
  useEffect(() => {
    if (value === undefined || plan) return undefined;
    const controller = new AbortController();
    const look = (): void =>
      void send('POST', `${collection.path}/bulk?dryRun=true`, { body, signal: controller.signal }).then(
        ({ data: answer }) => setTried((answer as { results: Result[] }).results),
        (refused: Fault) => controller.signal.aborted || doing.refuse(refused),
      );
    const timer = setTimeout(look, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [field.name, value]);
  const few = isOther ? undefined : fewOf(field);
  const changes = tried?.filter(({ status }) => status === 'updated') ?? [];
  const count = tried ? changes.length : rows.length;
  return (
    <Frame
      doing={doing}
      className="bulk"
      label={plan ? 'Plan' : `Change ${count} ${count === 1 ? 'record' : 'records'}`}
      cancel={close}
      isReady={plan ? value !== undefined : changes.length > 0}
      isPlanned={plan !== undefined}
    >
      <div class="control">
        <label for="bulk-field">Field</label>
        <select id="bulk-field" value={field.name} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {fields.map(({ name, label }) => (
            <option key={name} value={name}>
              {labelOf({ name, label })}
            </option>
          ))}
        </select>
      </div>
      <PlannedIn.Provider value={plan}>
        {few ? (
          <OneOf field={field} few={few} value={value} set={change} other={() => setOther(true)} />
        ) : (
          <Input
            key={field.name}
            field={field}
            value={value ?? null}
            set={change}
            faults={doing.error?.details ?? []}
          />
        )}
      </PlannedIn.Provider>
      {field.nullable && !few && (
        <button type="button" class="quiet" onClick={() => change(null)}>
          Empty it
        </button>
      )}
      {tried && (
        <div role="status">
          <p>
            {changes.length} of {rows.length} would change. Nothing is written yet.
          </p>
          {changes.length > 0 && <Changes collection={collection} field={field} rows={rows} results={changes} />}
        </div>
      )}
    </Frame>
  );
}

function Changes({
  collection,
  field,
  rows,
  results,
}: {
  collection: Collection;
  field: Field;
  rows: readonly Row[];
  results: readonly Result[];
}) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Changes">
      <table>
        <thead>
          <tr>
            <th scope="col">Record</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ id, record }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{nameOf(collection, record)}</bdi>
              </th>
              <td>
                <Value field={field} record={rows.find((row) => row.id === id)!} />
              </td>
              <td>
                <Value field={field} record={record} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A refusal that names the record instead of its position in the request. */
function named({ message, status, details = [] }: Fault, collection: Collection, rows: readonly Row[]): Fault {
  return {
    message,
    status,
    details: details.map(({ field, message: why }) => {
      const [, place, rest] = /^operations\[(\d+)\](?:\.data)?\.?(.*)$/.exec(field) ?? [];
      const row = place === undefined ? undefined : rows[Number(place)];
      return { field: row ? `${nameOf(collection, row)}: ${rest}` : field, message: why };
    }),
  };
}
