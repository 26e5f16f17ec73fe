/* Issuing units from stock. Each scan of an item issues as many units as the field says. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { get, onceKey, queryOf, reloadAll, send } from '../api.js';
import { Reference } from '../names.js';
import { Failure, Title } from '../parts.js';
import { ReferenceInput } from '../reference-input.js';
import { say } from '../toasts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault } from '../types.js';

type Schemas = components['schemas'];
type Item = Schemas['StockItem'];
type Level = Schemas['StockLevel'];

/** The item of a code: by its stock number, or else its name. */
async function itemOf(code: string): Promise<Item> {
  for (const name of ['sku', 'name']) {
    const found: Item[] = (await get(`/api/stock-items${queryOf({ [name]: code, pageSize: 2 })}`)).data;
    if (found.length === 1) return found[0]!;
    if (found.length > 1) throw new Error(`Several stock items have the ${name === 'sku' ? 'SKU' : 'name'} “${code}”`);
  }
  throw new Error(`No stock item has the SKU or the name “${code}”`);
}

const placeOf = ({ siteId, locationId }: Level): string => `${siteId} ${locationId}`;

export function TakingOut() {
  const [units, setUnits] = useState('1');
  const [personId, setPerson] = useState<string | null>(null);
  const [error, setError] = useState<Fault>();
  const [asked, setAsked] = useState<{ item: Item; levels: Level[]; quantity: number }>();
  const [taken, setTaken] = useState<readonly string[]>([]);
  const field = useRef<HTMLInputElement>(null);
  /** Scans are done one after the other, in their order. */
  const work = useRef<Promise<void>>(Promise.resolve());
  /** The place of the last units, which is tried first for the next ones. */
  const usual = useRef('');
  useEffect(() => field.current?.focus(), []);
  const take = async (item: Item, level: Level, quantity: number): Promise<void> => {
    const { siteId, locationId } = level;
    const path = `/api/stock-items/${item.id}/movements`;
    const body = { quantity: -quantity, kind: 'issue', siteId, locationId, personId };
    const { data } = await send('POST', path, { body, headers: onceKey() });
    usual.current = placeOf(level);
    setAsked(undefined);
    const text = `${quantity} of ${item.name} taken out, ${level.quantity - quantity} left there`;
    setTaken((before) => [text, ...before].slice(0, 8));
    say(text, {
      address: `#/stock-items/${item.id}`,
      undo: async () => {
        await send('POST', `${path}/${data.id}/reverse`, { body: { reason: 'Undone' }, headers: onceKey() });
        reloadAll();
      },
    });
    reloadAll();
  };
  const scanned = async (code: string, quantity: number): Promise<void> => {
    const item = await itemOf(code);
    const levels: Level[] = (await get(`/api/stock-items/${item.id}/levels?pageSize=50`)).data;
    const enough = levels.filter((level) => level.quantity >= quantity);
    const level = enough.find((one) => placeOf(one) === usual.current) ?? (enough.length === 1 ? enough[0] : undefined);
    if (level) return take(item, level, quantity);
    if (enough.length > 1) return setAsked({ item, levels: enough, quantity });
    const most = Math.max(0, ...levels.map((one) => one.quantity));
    throw new Error(`No place has ${quantity} of ${item.name}: the most that one has is ${most}`);
  };
  const tried = (what: () => Promise<void>): void => {
    work.current = work.current.then(what).catch((refused: Fault) => setError(refused));
  };
  const scan = (event: Event): void => {
    event.preventDefault();
    const code = field.current!.value.trim();
    const quantity = Number(units);
    field.current!.focus();
    if (code === '') return;
    if (!(Number.isInteger(quantity) && quantity > 0))
      return setError({ message: 'Enter how many units are taken out, as a whole number above 0' });
    field.current!.value = '';
    setError(undefined);
    setAsked(undefined);
    tried(() => scanned(code, quantity));
  };
  return (
    <>
      <Title text="Take out of stock" crumbs={[['Asset desk', '#/pictures/desk']]} />
      {error && <Failure error={error} />}
      <form class="form" onSubmit={scan}>
        <section class="section">
          <div class="inputs">
            <div class="control">
              <label for="out-units">Units of each scan</label>
              <input
                id="out-units"
                type="number"
                min={1}
                value={units}
                onInput={({ currentTarget: { value } }) => setUnits(value)}
              />
            </div>
            <div class="control">
              <label for="out-code">SKU or name of the item</label>
              <input
                id="out-code"
                ref={field}
                autocomplete="off"
                spellcheck={false}
                dir="auto"
                // Handled here, because submitting the form waits for name look-ups, and a scanner does not wait.
                onKeyDown={(event) => event.key === 'Enter' && scan(event)}
              />
            </div>
            <ReferenceInput label="For" resource="people" value={personId} set={setPerson} />
          </div>
        </section>
        <p class="tools submit">
          <button class="primary">Take out</button>
        </p>
      </form>
      {asked && (
        <section class="card" aria-label="Where from">
          <h2>
            {asked.quantity} of {asked.item.name}: where from?
          </h2>
          <ul class="lines">
            {asked.levels.map((level) => (
              <li key={placeOf(level)}>
                <span class="main">
                  {level.locationId ? (
                    <Reference resource="locations" id={level.locationId} />
                  ) : level.siteId ? (
                    <Reference resource="sites" id={level.siteId} />
                  ) : (
                    'No place'
                  )}
                </span>
                <span class="aside">
                  <button
                    type="button"
                    onClick={() => tried(() => take(asked.item, level, asked.quantity))}
                  >{`From the ${level.quantity} here`}</button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {taken.length > 0 && (
        <section class="card" aria-label="Taken out">
          <h2>Taken out</h2>
          <ul class="lines">
            {taken.map((text, at) => (
              <li key={`${taken.length - at} ${text}`}>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
