/* Receiving an order: a table for each line, with a row for each unit, into which columns of a spreadsheet can be pasted. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { get, useKey, queryOf, Refused, reloadAll, send } from '../api.js';
import { defaultsOf } from '../form.js';
import { labelOf } from '../model.js';
import { ownBody, ownFieldAt, ownFieldsOf, OwnInputs } from '../own-inputs.js';
import { pastedCells } from '../pasting.js';
import { crumbsOf } from '../record.js';
import { go } from '../route.js';
import { Frame, useTask } from '../task.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Collection, Fault, Field } from '../types.js';
import { isWhole } from '../numbers.js';
import { same } from '../writing.js';

type Schemas = components['schemas'];
type Item = Schemas['PurchaseOrderItem'];
/** Texts by the names of the columns. */
type Unit = Record<string, string> & { assetTag: string };

const COLUMNS: readonly Field[] = [{ name: 'serialNumber' }, { name: 'assetTag' }];
/** Units that one request receives at most. */
const MOST = 1000;
/** Tags that one request asks for. */
const ASKED = 50;

const NO_UNIT: Unit = { assetTag: '' };
const textIn = (unit: Unit, { name }: Field): string => (unit[name] ?? '').trim();
/** A text that is not a number is sent unchanged, so that the service reports the fault. */
const valueOf = (text: string, { type }: Field): unknown => (type === 'integer' && isWhole(text) ? Number(text) : text);
const unitsOf = (count: number, before: readonly Unit[] = []): Unit[] =>
  Array.from({ length: count }, (_, at) => before[at] ?? NO_UNIT);

/** Texts that occur more than once in a list, trimmed. */
const repeated = (all: readonly string[]): Set<string> => {
  const filled = all.map((one) => one.trim()).filter((one) => one !== '');
  return new Set(filled.filter((one, at) => filled.indexOf(one) !== at));
};

/** The tags of existing assets. Each tag is requested once. */
function useTaken(tags: readonly string[]): Map<string, string> {
  const [taken, setTaken] = useState(new Map<string, string>());
  const asked = useRef(new Set<string>());
  const wanted = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))].join('\n');
  useEffect(() => {
    const timer = setTimeout(() => {
      const fresh = wanted.split('\n').filter((tag) => tag !== '' && !asked.current.has(tag));
      for (let at = 0; at < fresh.length; at += ASKED) {
        const some = fresh.slice(at, at + ASKED);
        for (const tag of some) asked.current.add(tag);
        get(`/api/assets${queryOf({ assetTag: some, pageSize: ASKED })}`).then(
          ({ data }: { data: Schemas['Asset'][] }) =>
            setTaken((before) => new Map([...before, ...data.map((one) => [one.assetTag!, one.name] as const)])),
          // The service reports a duplicate tag when the units are received.
          () => {},
        );
      }
    }, 300);
    return () => clearTimeout(timer);
  }, [wanted]);
  return taken;
}

export function Receiving({ path, collection, record }: { path: string; collection: Collection; record: object }) {
  const order = record as Schemas['PurchaseOrder'];
  // Lines of stock items have a view of their own.
  const open = useMemo(
    () => order.items.filter(({ quantityRemaining, stockItemId }) => quantityRemaining > 0 && !stockItemId),
    [],
  );
  const [units, setUnits] = useState<Record<string, Unit[]>>(() =>
    Object.fromEntries(open.map(({ id, quantityRemaining }) => [id, unitsOf(Math.min(quantityRemaining, MOST))])),
  );
  const own = useMemo(() => ownFieldsOf('ReceivedUnit'), []);
  // A value that must be unique is asked for each asset.
  const columns = [...COLUMNS, ...own.filter(({ unique, references }) => unique && !references)];
  const common = own.filter((field) => !columns.includes(field));
  const base = useMemo(() => defaultsOf(common), []);
  const [values, setValues] = useState(base);
  const ofReceipt = useMemo(() => ownFieldsOf('ReceivePurchaseOrder'), []);
  const usual = useMemo(() => defaultsOf(ofReceipt), []);
  const [said, setSaid] = useState(usual);
  const keyOf = useKey();
  const all = Object.values(units).flat();
  const taken = useTaken(all.map(({ assetTag }) => assetTag));
  const twice = repeated(all.map(({ assetTag }) => assetTag));
  const doubtful = all.filter(({ assetTag }) => taken.has(assetTag.trim()) || twice.has(assetTag.trim())).length;
  /** Number of doubtful tags that the user has been told about. */
  const [told, setTold] = useState(0);
  const isTouched =
    !same(values, base) || !same(said, usual) || all.some((unit) => Object.values(unit).some((text) => text !== ''));
  const back = path.slice(4);
  const filled = (unit: Unit): object => ({
    ...ownBody(common, values),
    ...Object.fromEntries(
      columns.flatMap((column) => {
        const text = textIn(unit, column);
        return text === '' ? [] : [[column.name, valueOf(text, column)]];
      }),
    ),
  });
  const doing = useTask(
    async () => {
      if (doubtful > told) {
        setTold(doubtful);
        throw new Refused(400, {
          error: `${doubtful} ${doubtful === 1 ? 'unit has a tag' : 'units have tags'} of another one`,
        });
      }
      const items = open
        .filter(({ id }) => units[id]!.length > 0)
        .map(({ id }) => ({ itemId: id, quantity: units[id]!.length, assets: units[id]!.map(filled) }));
      const body = { items, ...ownBody(ofReceipt, said) };
      const answer = await send('POST', `${path}/receive`, { body, headers: keyOf(body) });
      say(`${all.length} ${all.length === 1 ? 'unit' : 'units'} received`, {
        address: `#${back}`,
        undo: undoOf(answer),
      });
      go(back);
      reloadAll();
    },
    {
      named: (refused) => named(refused, open, units, { common, ofReceipt }),
      isTouched,
      question: 'Leave without receiving what you typed?',
    },
  );
  return (
    <Frame
      doing={doing}
      title={`Receive ${order.orderNumber}`}
      crumbs={[...crumbsOf(collection, path), [order.orderNumber, `#${back}`]]}
      className="receiving"
      label={`Receive ${all.length} ${all.length === 1 ? 'unit' : 'units'}${doubtful > 0 && doubtful <= told ? ' all the same' : ''}`}
      cancel={`#${back}`}
      isReady={all.length > 0}
    >
      {open.length === 0 && <p class="empty">Everything is received.</p>}
      {open.map((item) => (
        <Line
          key={item.id}
          item={item}
          columns={columns}
          units={units[item.id]!}
          set={(next) => setUnits((before) => ({ ...before, [item.id]: next }))}
          taken={taken}
          twice={twice}
        />
      ))}
      <OwnInputs
        title="Custom fields of all units"
        fields={open.length > 0 ? common : []}
        values={values}
        set={setValues}
        error={about(doing.error, (field) => !isOf(ofReceipt, field))}
      />
      <OwnInputs
        title="Custom fields of the receipt"
        fields={open.length > 0 ? ofReceipt : []}
        values={said}
        set={setSaid}
        error={about(doing.error, (field) => isOf(ofReceipt, field))}
      />
    </Frame>
  );
}

/** Whether a fault's path belongs to a field of the receipt, and not of a unit. */
const isOf = (fields: readonly Field[], path: string): boolean => fields.some(({ name }) => name === path);

/** A refusal with those of its faults that are about some paths of the body. */
const about = (error: Fault | undefined, which: (path: string) => boolean): Fault | undefined =>
  error && { message: error.message, details: error.details?.filter(({ field }) => which(field)) };

/** Faults by line and unit instead of the paths of the body. */
function named(
  error: Fault,
  open: readonly Item[],
  units: Record<string, Unit[]>,
  { common, ofReceipt }: Record<'common' | 'ofReceipt', Field[]>,
): Fault {
  const sent = open.filter(({ id }) => units[id]!.length > 0);
  const own = ownFieldsOf('ReceivedUnit');
  const ofUnits = (path: string): Field | undefined => (isOf(ofReceipt, path) ? undefined : ownFieldAt(common, path));
  // A value that all units share has a fault for each unit.
  const faults = error.details?.filter(({ field }, at, all) => {
    const one = ofUnits(field);
    return !one || all.findIndex((other) => ofUnits(other.field) === one) === at;
  });
  const details = faults?.map(({ field, message }) => {
    const [, item, unit, property] = /^items\[(\d+)\](?:\.assets\[(\d+)\])?(?:\.(\w+))?/.exec(field) ?? [];
    const shared = ofUnits(field) ?? ofReceipt.find(({ name }) => name === field);
    if (shared) return { field: labelOf(shared), message };
    const line = sent[Number(item)]?.name;
    if (line === undefined) return { field: labelOf(field), message };
    const of = unit === undefined ? line : `${line}, unit ${Number(unit) + 1}`;
    return { field: property ? `${of}: ${labelOf(ownFieldAt(own, field) ?? property)}` : of, message };
  });
  return { message: details?.length ? 'Nothing was received yet' : error.message, status: error.status, details };
}

function Line({
  item,
  columns,
  units,
  set,
  taken,
  twice,
}: {
  item: Item;
  columns: readonly Field[];
  units: Unit[];
  set: (units: Unit[]) => void;
  taken: Map<string, string>;
  twice: Set<string>;
}) {
  const [left, setLeft] = useState(0);
  const most = Math.min(item.quantityRemaining, MOST);
  const type = (row: number, column: string, text: string): void =>
    set(units.map((unit, at) => (at === row ? { ...unit, [column]: text } : unit)));
  const paste = (event: ClipboardEvent, row: number, column: number): void => {
    const given = event.clipboardData?.getData('text') ?? '';
    const cells = pastedCells(given);
    // A single cell is pasted at the cursor, unless it was quoted.
    if (cells.length < 2 && (cells[0]?.length ?? 0) < 2 && (cells[0]?.[0] ?? '') === given.trim()) return;
    event.preventDefault();
    setLeft(Math.max(0, row + cells.length - units.length));
    set(
      units.map((unit, at) => {
        const texts = cells[at - row];
        if (!texts) return unit;
        const values = texts.flatMap((text, offset) => {
          const name = columns[column + offset]?.name;
          return name ? [[name, text]] : [];
        });
        return { ...unit, ...Object.fromEntries(values) };
      }),
    );
  };
  const faultOf = ({ assetTag }: Unit): string | undefined => {
    const tag = assetTag.trim();
    if (tag === '') return undefined;
    if (taken.has(tag)) return `${tag} is the tag of ${taken.get(tag)}`;
    return twice.has(tag) ? `${tag} is here twice` : undefined;
  };
  return (
    <fieldset class="rows">
      <legend>
        <bdi>{item.name}</bdi>
      </legend>
      <label class="quantity">
        Units received
        <input
          type="number"
          min={0}
          max={most}
          value={units.length}
          onInput={({ currentTarget: { value } }) => {
            const count = Math.floor(Number(value));
            if (value !== '' && count >= 0 && count <= most) set(unitsOf(count, units));
          }}
        />
        <span class="muted">of {item.quantityRemaining} that are missing</span>
      </label>
      {left > 0 && (
        <p class="fault" role="status">
          {left} pasted {left === 1 ? 'row has' : 'rows have'} no unit here.
        </p>
      )}
      {units.length > 0 && (
        <div class="scroll" tabindex={0} role="region" aria-label={`Units of ${item.name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col" class="end">
                  Unit
                </th>
                {columns.map((column) => (
                  <th key={column.name} scope="col">
                    {labelOf(column)}
                    {column.required && ' *'}
                  </th>
                ))}
                <th scope="col">
                  <span class="hidden">Faults</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {units.map((unit, row) => {
                const fault = faultOf(unit);
                return (
                  <tr key={row}>
                    <td class="end muted">{row + 1}</td>
                    {columns.map((column, at) => (
                      <td key={column.name}>
                        <input
                          aria-label={`${labelOf(column)} of unit ${row + 1} of ${item.name}`}
                          aria-invalid={column.name === 'assetTag' && fault ? 'true' : undefined}
                          dir="auto"
                          autocomplete="off"
                          value={unit[column.name] ?? ''}
                          onInput={({ currentTarget: { value } }) => type(row, column.name, value)}
                          onPaste={(event) => paste(event, row, at)}
                        />
                      </td>
                    ))}
                    <td>{fault && <span class="alarm">{fault}</span>}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </fieldset>
  );
}
