/* Values as people read them. Everything that comes from a record is text. */

import type { Field, Row } from './types.js';
import { useEffect, useState } from 'preact/hooks';
import { get, queryOf } from './api.js';
import { addressOf, collectionOf, fieldsOf, labelOf, nameOf, relationOf } from './model.js';

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const whole = new Intl.NumberFormat();

/** A time in the zone of the reader, and in UTC on hover. */
export function Time({ value }: { value: any }) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <bdi>{String(value)}</bdi>;
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time datetime={date.toISOString()} title={utc}>
      {shown.format(date)}
    </time>
  );
}

export const Day = ({ value }: { value: any }) => {
  const date = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? <bdi>{String(value)}</bdi> : <time datetime={value}>{day.format(date)}</time>;
};

const TONES: Readonly<Record<string, string>> = {
  good: 'active approved available completed confirmed connected enabled healthy ok online received resolved success up',
  bad: 'critical disposed error expired failed high lapsed lost major offline open overdue sev1 sev2 terminated',
  busy: 'detected due investigating in_progress medium minor monitoring ordered partially_received pending sev3 soon submitted',
  calm: 'assigned draft low planned reserved scheduled staged',
};
const toneOf = (word: unknown): string =>
  Object.keys(TONES).find((tone) => TONES[tone]!.split(' ').includes(String(word).toLowerCase())) ?? 'plain';

export const Badge = ({ value }: { value: any }) => (
  <span class={`badge ${toneOf(value)}`}>
    <bdi>{String(value).replaceAll('_', ' ')}</bdi>
  </span>
);

export const Nothing = () => (
  <span class="nothing" title="No value">
    –
  </span>
);

export const money = (amount: string | number | null | undefined, currency?: string | null): string => {
  if (amount === null || amount === undefined) return '';
  const digits = String(amount).split('.')[1]?.length ?? 0;
  // From its text, because a number would round it.
  const text = new Intl.NumberFormat(undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(String(amount) as unknown as number);
  return `${text}${currency ? ` ${currency}` : ''}`;
};

/** Names that were asked for in the same moment are read with one request a resource. */
const names = new Map<string, Promise<string | undefined>>();
type Waiting = { id: string; done: (name: string | undefined) => void };
let waiting = new Map<string, Waiting[]>();
const MOST = 50;
function nameFor(resource: string, id: string): Promise<string | undefined> {
  const key = `${resource}/${id}`;
  if (!names.has(key)) {
    if (waiting.size === 0) setTimeout(readNames);
    names.set(key, new Promise((done) => waiting.set(resource, [...(waiting.get(resource) ?? []), { id, done }])));
  }
  return names.get(key)!;
}
async function readNames() {
  const asked = waiting;
  waiting = new Map();
  for (const [resource, all] of asked) {
    const collection = collectionOf(resource)!;
    for (let at = 0; at < all.length; at += MOST) {
      const some = all.slice(at, at + MOST);
      const path = `${collection.path}${queryOf({ id: some.map(({ id }) => id), pageSize: MOST })}`;
      const { data } = (await get(path).catch(() => ({ data: [] }))) as { data: Row[] };
      for (const { id, done } of some) {
        const record = data.find((one) => one.id === id);
        if (!record) names.delete(`${resource}/${id}`);
        done(record && nameOf(collection, record));
      }
    }
  }
}

/** Link to a record of which only the id is known. */
export function Reference({ resource, id }: { resource: string; id: string }) {
  /** Null if there is no such record, or none that the session may see. */
  const [name, setName] = useState<string | null>();
  const isKnown = collectionOf(resource)?.path.includes('{') === false;
  useEffect(() => {
    let isShown = true;
    setName(undefined);
    if (isKnown)
      void nameFor(resource, id).then((found) => {
        if (isShown) setName(found ?? null);
      });
    return () => {
      isShown = false;
    };
  }, [resource, id]);
  const address = addressOf(resource, id);
  const one = collectionOf(resource)?.one ?? 'record';
  const text = name ?? (name === null ? `a ${one} that is gone` : isKnown ? '…' : `a ${one}`);
  return address ? (
    <a href={address}>
      <bdi>{text}</bdi>
    </a>
  ) : (
    <bdi class="muted">{text}</bdi>
  );
}

const nameIn = ({ name, fullName }: Row): string | undefined => name ?? fullName;
const isRecord = (value: any): value is Row =>
  typeof value === 'object' && value !== null && 'id' in value && nameIn(value) !== undefined;

const RecordLink = ({ value, resource }: { value: any; resource?: string }) => {
  const address = addressOf(value.resource ?? resource, value.id);
  return address ? (
    <a href={address}>
      <bdi>{nameIn(value)}</bdi>
    </a>
  ) : (
    <bdi>{nameIn(value)}</bdi>
  );
};

/** The value of a field of a record. */
export function Value({ field, record, value = record?.[field.name] }: { field: Field; record?: Row; value?: any }) {
  const relation = field.references && record?.[relationOf(field.name)];
  if (value === null || value === undefined || value === '') return <Nothing />;
  if (relation && isRecord(relation)) return <RecordLink value={relation} resource={field.references} />;
  if (field.references && Array.isArray(value))
    return (
      <span class="chips">
        {value.map((id: string) => (
          <Reference key={id} resource={field.references!} id={id} />
        ))}
      </span>
    );
  if (field.format === 'uuid' && !field.references && !field.referencesBy) return <Nothing />;
  if (field.references && typeof value === 'string') return <Reference resource={field.references} id={value} />;
  const resource = field.referencesBy && record?.[field.referencesBy];
  if (resource) return <Reference resource={resource} id={value} />;
  if (field.day && typeof value === 'string') return <Day value={value.slice(0, 10)} />;
  if (field.nominal) return <span class="number">{String(value)}</span>;
  if (field.format === 'date-time') return <Time value={value} />;
  if (field.format === 'date') return <Day value={value} />;
  if (field.values && typeof value === 'string') return <Badge value={value} />;
  if (field.known && typeof value === 'string') return <Badge value={value} />;
  return <Plain value={value} type={field.of} name={field.name} currency={record?.currency} />;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A value of which only its kind is known. */
export function Plain({
  value,
  type,
  name = '',
  currency,
}: {
  value: any;
  type?: string;
  name?: string;
  currency?: string | null;
}) {
  if (value === null || value === undefined || value === '') return <Nothing />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name === 'utilisation') return <Meter value={value} />;
  if (typeof value === 'number')
    return <span class="number">{Number.isInteger(value) ? whole.format(value) : value}</span>;
  if (Array.isArray(value)) return <Several value={value} type={type} />;
  if (isRecord(value)) return <RecordLink value={value} resource={value.resource ?? guessed(name)} />;
  if (typeof value === 'object') return <Properties value={value} type={type} />;
  if (TIME.test(value)) return <Time value={value} />;
  if (/(?:amount|price|cost)$/i.test(name) && /^-?\d+(?:\.\d+)?$/.test(value))
    return <span class="number">{money(value, currency)}</span>;
  if (/^https?:\/\/\S+$/.test(value))
    return (
      <a href={value} rel="noopener noreferrer" target="_blank">
        <bdi>{value}</bdi>
      </a>
    );
  return <bdi class={value.includes('\n') ? 'lines' : undefined}>{value}</bdi>;
}

const GUESSED: Readonly<Record<string, string>> = { person: 'people', currentAssignee: 'people' };
const guessed = (name: string): string | undefined => GUESSED[name] ?? (collectionOf(`${name}s`) && `${name}s`);

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a property is an id of which nothing can be said. */
const isBareId = (field: Field | undefined, name: string): boolean =>
  name === 'id' || (field?.format === 'uuid' && !field.references && !field.referencesBy);

const MOST_ROWS = 200;

/** A list within a record: values in a row, objects as a table. */
function Several({ value, type }: { value: any; type?: string }) {
  if (value.length === 0) return <Nothing />;
  if (!value.every(isObject))
    return (
      <span class="chips">
        {value.map((one: any) => (
          <span class="chip">
            <bdi>{one === null ? 'nothing' : isObject(one) ? JSON.stringify(one) : String(one)}</bdi>
          </span>
        ))}
      </span>
    );
  const declared = fieldsOf(type);
  const hidden = new Set(['id', 'createdAt', 'updatedAt', 'sortOrder']);
  const keys = Object.keys(value[0]).filter(
    (key) =>
      !hidden.has(key) &&
      !isBareId(
        declared.find(({ name }) => name === key),
        key,
      ),
  );
  const fields = keys.map((key) => declared.find(({ name }) => name === key) ?? { name: key });
  const filled = fields.filter(({ name }) => value.some((one: Row) => one[name] !== null));
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {filled.map(({ name }) => (
              <th scope="col">{labelOf(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.slice(0, MOST_ROWS).map((row: Row) => (
            <tr>
              {filled.map((field) => (
                <td>
                  {field.type === undefined && isRecord(row) && field.name === 'name' ? (
                    <RecordLink value={row} />
                  ) : (
                    <Value field={field} record={row} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {value.length > MOST_ROWS && <p class="muted">{value.length - MOST_ROWS} more are in the answer of the API.</p>}
    </div>
  );
}

/** An object as names and values. */
export function Properties({ value, type }: { value: any; type?: string }) {
  const declared = fieldsOf(type);
  return (
    <dl class="fields">
      {Object.entries(value)
        .filter(
          ([name]) =>
            !isBareId(
              declared.find((field) => field.name === name),
              name,
            ),
        )
        .map(([name, one]) => {
          const field = declared.find((candidate) => candidate.name === name) ?? { name };
          return (
            <div>
              <dt title={field.description}>{labelOf(name)}</dt>
              <dd>
                <Value field={field} record={value} value={one} />
              </dd>
            </div>
          );
        })}
    </dl>
  );
}

/** A share from 0 to 1 as a bar. */
export function Meter({ value }: { value: any }) {
  const share = Math.min(100, Math.max(0, 100 * Number(value)));
  return (
    <span class="meter">
      <span class="bar" aria-hidden="true">
        <span class={share >= 90 ? 'full' : share >= 75 ? 'high' : ''} style={{ width: `${share}%` }}></span>
      </span>
      {Math.round(share)} %
    </span>
  );
}
