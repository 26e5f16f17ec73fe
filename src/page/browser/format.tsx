/* Values for display. Everything that comes from a record is text. */

import { labelOfValue } from '../../fields/labels.js';
import { Colour } from './colours.js';
import { LOCALE } from './locale.js';
import type { Field, Row } from './types.js';
import { expandedName, isCustom } from './custom.js';
import { addressWith, changed } from './route.js';
import { calledBy, capital, collectionOf, fieldsOf, labelOf, relationOf } from './model.js';
import { Linked, Reference } from './names.js';
import { dayOf, instantOf } from './times.js';

const shown = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const hour = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const whole = new Intl.NumberFormat(LOCALE);
const rounded = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent' });

/** A time in the zone of the reader, and in UTC on hover. */
export function Time({ value }: { value: any }) {
  const time = instantOf(value);
  if (time === undefined) return <bdi>{String(value)}</bdi>;
  const date = new Date(time);
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time datetime={date.toISOString()} title={utc}>
      {shown.format(date)}
    </time>
  );
}

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const SPANS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** The distance of a time from now, in the largest unit of at least 1. The exact time is shown on hover. */
export function Ago({ value }: { value: string | null | undefined }) {
  const time = instantOf(value);
  if (time === undefined) return <Nothing />;
  const date = new Date(time);
  const seconds = (date.getTime() - Date.now()) / 1000;
  const [unit, length] = SPANS.find(([, span]) => Math.abs(seconds) >= span) ?? ['minute', 60];
  return (
    <time datetime={date.toISOString()} title={shown.format(date)}>
      {Math.abs(seconds) < 60 ? 'just now' : relative.format(Math.round(seconds / length), unit)}
    </time>
  );
}

/** A time of today, with the date on hover. */
export const Hour = ({ value }: { value: string | null }) =>
  value ? (
    <time datetime={value} title={shown.format(instantOf(value))}>
      {hour.format(instantOf(value))}
    </time>
  ) : null;

/** How many days a date is away, with the date on hover. */
export const DaysLeft = ({ date, days }: { date: string; days: number }) => (
  <time datetime={date} title={day.format(dayOf(date.slice(0, 10)))}>
    {days < 0 ? `${-days} d overdue` : days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} d`}
  </time>
);

export const Day = ({ value }: { value: any }) => {
  const date = dayOf(value);
  return date === undefined ? <bdi>{String(value)}</bdi> : <time datetime={value}>{day.format(date)}</time>;
};

const TONES: Readonly<Record<string, string>> = {
  good: 'active approved available completed confirmed connected enabled healthy ok online received resolved success up',
  bad: 'critical disposed error expired failed high lapsed lost major offline open overdue sev1 sev2 terminated',
  busy: 'detected due investigating in_progress medium minor monitoring ordered partially_received pending sev3 soon submitted',
  calm: 'assigned draft low planned reserved scheduled staged',
};
const toneOf = (word: unknown): string =>
  Object.keys(TONES).find((tone) => TONES[tone]!.split(' ').includes(String(word).toLowerCase())) ?? 'plain';

/** The state of a record, with a dot. */
export const State = ({ value }: { value: string }) => (
  <span class={`badge state ${toneOf(value)}`}>
    <bdi>{labelOfValue(value)}</bdi>
  </span>
);

/** An enumerated value that is no state: in its colour, if it has one. @param label if not that of the value */
export const Word = ({ value, label = labelOfValue(value) }: { value: string; label?: string }) =>
  toneOf(value) === 'plain' ? (
    <bdi>{label}</bdi>
  ) : (
    <span class={`badge ${toneOf(value)}`}>
      <bdi>{label}</bdi>
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
  // From its text, because a number would be rounded.
  const text = new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(String(amount) as unknown as number);
  return `${text}${currency ? ` ${currency}` : ''}`;
};

const nameIn = ({ name, fullName }: Row): string | undefined => name ?? fullName;
const isRecord = (value: any): value is Row =>
  typeof value === 'object' && value !== null && 'id' in value && typeof nameIn(value) === 'string';

const RecordLink = ({ value, resource, by }: { value: any; resource?: string; by?: Row }) => (
  <Linked resource={value.resource ?? resource} id={value.id} name={nameIn(value)} by={by} />
);

/** The record that a field of a record refers to, if the answer has it. */
export const expandedIn = (record: Row | undefined, name: string): any =>
  record?.[isCustom(name) ? expandedName(name) : relationOf(name)];

/** The value of a field of a record. */
export function Value({ field, record, value = record?.[field.name] }: { field: Field; record?: Row; value?: any }) {
  const relation = field.references && expandedIn(record, field.name);
  if (value === null || value === undefined || value === '') return <Nothing />;
  if (relation && isRecord(relation)) return <RecordLink value={relation} resource={field.references} by={record} />;
  if (field.references && Array.isArray(value))
    return (
      <span class="chips">
        {value.map((id: string) => (
          <Reference key={id} resource={field.references!} id={id} />
        ))}
      </span>
    );
  if (field.format === 'uuid' && !field.references && !field.referencesBy) return <Nothing />;
  if (field.references && typeof value === 'string')
    return <Reference resource={field.references} id={value} by={record} />;
  const kind = field.name === 'resource' && collectionOf(value)?.one;
  if (kind) return <>{capital(kind)}</>;
  const resource = field.referencesBy && record?.[field.referencesBy];
  const called = resource && record?.[calledBy(field) ?? ''];
  if (called) return <Linked resource={resource} id={value} name={called} />;
  if (resource) return <Reference resource={resource} id={value} by={record} />;
  if (field.day && typeof value === 'string') return <Day value={value.slice(0, 10)} />;
  if (field.nominal) return <span class="number">{String(value)}</span>;
  if (field.format === 'date-time') return <Time value={value} />;
  if (field.format === 'date') return <Day value={value} />;
  if (field.custom && Array.isArray(value)) return <Tags field={field} value={value} />;
  if (field.custom && field.values && typeof value === 'string') return <Word value={value} label={value} />;
  if (field.name === 'color' && typeof value === 'string') return <Colour value={value} />;
  const wordIn = field.values ? labelOfValue : IN_LISTS[field.name];
  if (wordIn && Array.isArray(value)) return <Plain value={value.map(wordIn)} />;
  if (field.name === 'field' && typeof value === 'string') return <bdi>{labelOf(value)}</bdi>;
  if (typeof value === 'string' && !field.custom && isWord(field))
    return field.name === 'status' ? <State value={value} /> : <Word value={value} />;
  if (isShare(field) && typeof value === 'number' && field.name !== 'utilisation')
    return <span class="number">{percent.format(value)}</span>;
  return <Plain value={value} type={field.of} name={field.name} currency={currencyOf(record)} />;
}

/** Lists of names of the service, and what people read instead. */
const IN_LISTS: Readonly<Record<string, (name: string) => string>> = {
  resources: (name) => capital(collectionOf(name)?.label ?? labelOf(name)),
  fields: labelOf,
};

/**
 * Properties whose values are words of the service, though no list of them is declared. The ends of a transition are of any field,
 * and have other names in its history.
 */
const WORDS = ['type', 'from', 'to', 'fromValue', 'toValue', 'field', 'resource'];
export const isWord = ({ name, values, known, format }: Field): boolean =>
  Boolean(values ?? known) || (!format && WORDS.includes(name));

/** The currency of the amounts of a record: its own, or that of the order or contract that it belongs to. */
const currencyOf = (record: Row | undefined): string | undefined =>
  record?.currency ??
  Object.values(record ?? {}).find((one) => isRecord(one) && typeof one.currency === 'string')?.currency;

const isShare = ({ type, minimum, maximum }: Field): boolean => type === 'number' && minimum === 0 && maximum === 1;

/** Decimals that somebody may have typed. More are those of a division. */
const TYPED = 4;

/** A number as people read it; one that was computed is rounded, and whole on hover. */
function Figure({ value }: { value: number }) {
  const isComputed = (String(value).split('.')[1]?.length ?? 0) > TYPED;
  return (
    <span class="number" title={isComputed ? String(value) : undefined}>
      {isComputed ? rounded.format(value) : Number.isInteger(value) ? whole.format(value) : value}
    </span>
  );
}

/** The tags of a record. Each links to the list of all records with it, within the current filters. */
function Tags({ field, value }: { field: Field; value: string[] }) {
  const path = collectionOf(field.custom!)?.path;
  const [here, query] = location.hash.slice(1).split(/\?(.*)/s);
  const within = path === `/api${here}` ? new URLSearchParams(query) : new URLSearchParams();
  const addressFor = (tag: string): string =>
    addressWith(path!.slice(4), changed(within, { [field.name]: tag, page: undefined }));
  return (
    <span class="chips">
      {value.map((tag) =>
        path && !path.includes('{') ? (
          <a key={tag} class="chip" href={addressFor(tag)} title={`All with ${tag}`}>
            <bdi>{tag}</bdi>
          </a>
        ) : (
          <span key={tag} class="chip">
            <bdi>{tag}</bdi>
          </span>
        ),
      )}
    </span>
  );
}

export const isMoney = (name: string): boolean => /(?:amount|price|cost)$/i.test(name);

/** The class of the cells of a column. Numbers are right-aligned. */
export const classOf = ({ name, type, decimal }: Partial<Field>): string | undefined =>
  type === 'integer' || type === 'number' || decimal || isMoney(name ?? '') ? 'end' : undefined;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A value of which only the type is known. */
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
  if (typeof value === 'number') return <Figure value={value} />;
  if (Array.isArray(value)) return <Several value={value} type={type} currency={currency} />;
  if (isRecord(value)) return <RecordLink value={value} resource={value.resource ?? guessed(name)} />;
  if (typeof value === 'object' && 'person' in value && 'startTime' in value)
    return (
      <>
        {value.person ? <RecordLink value={value.person} resource="people" /> : 'Nobody'} from{' '}
        <Time value={value.startTime} />
      </>
    );
  // Of a price in several currencies, each is shown as one.
  if (typeof value === 'object' && 'amount' in value && 'currency' in value)
    return <span class="number">{money(value.amount, value.currency)}</span>;
  if (typeof value === 'object') return <Properties value={value} type={type} />;
  if (TIME.test(value)) return <Time value={value} />;
  if (isMoney(name) && /^-?\d+(?:\.\d+)?$/.test(value)) return <span class="number">{money(value, currency)}</span>;
  if (/^https?:\/\/\S+$/.test(value))
    return (
      <a href={value} rel="noopener noreferrer" target="_blank">
        <bdi>{value}</bdi>
      </a>
    );
  return <bdi class={value.includes('\n') ? 'lines' : undefined}>{value}</bdi>;
}

const GUESSED: Readonly<Record<string, string>> = {
  person: 'people',
  currentAssignee: 'people',
  deviceType: 'device-types',
};
const guessed = (name: string): string | undefined => GUESSED[name] ?? (collectionOf(`${name}s`) && `${name}s`);

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a property is an id without further information. */
const isBareId = (field: Field | undefined, name: string): boolean =>
  name === 'id' || (field?.format === 'uuid' && !field.references && !field.referencesBy);

const MOST_ROWS = 200;

/** A list within a record: values in a row, objects as a table. */
function Several({ value, type, currency }: { value: any; type?: string; currency?: string | null }) {
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
  // An object has those custom fields only that have a value in it.
  const own = declared.filter(({ name, custom }) => custom && value.some((one: Row) => name in one));
  const others = Object.keys(value[0]).filter((key) => !own.some(({ name }) => name === key));
  const keys = [...others, ...own.map(({ name }) => name)].filter(
    (key) =>
      !hidden.has(key) &&
      !isBareId(
        declared.find(({ name }) => name === key),
        key,
      ),
  );
  const fields = keys.map((key) => declared.find(({ name }) => name === key) ?? { name: key });
  // The owner of a part is the displayed record itself.
  const isOwner = ({ readOnly, references }: Partial<Field>): boolean => Boolean(readOnly && references);
  const filled = fields.filter((field) => !isOwner(field) && value.some((one: Row) => one[field.name] !== null));
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {filled.map((field) => (
              <th scope="col" class={classOf(field)}>
                {labelOf(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.slice(0, MOST_ROWS).map((row: Row) => (
            <tr>
              {filled.map((field) => (
                <td class={classOf(field)}>
                  {field.type === undefined && isRecord(row) && field.name === 'name' ? (
                    <RecordLink value={row} />
                  ) : (
                    <Value field={field} record={{ currency, ...row }} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {value.length > MOST_ROWS && <p class="muted">{value.length - MOST_ROWS} more are not shown.</p>}
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
              <dt title={field.description}>{labelOf(field)}</dt>
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
/** How full a bar is, from a share in percent. */
export const levelOf = (share: number): string => (share >= 90 ? 'full' : share >= 75 ? 'high' : '');

export function Meter({ value }: { value: any }) {
  const share = Math.min(100, Math.max(0, 100 * Number(value)));
  return (
    <span class="meter">
      <span class="bar" aria-hidden="true">
        <span class={levelOf(share)} style={{ width: `${share}%` }}></span>
      </span>
      <span>{Math.round(share)} %</span>
    </span>
  );
}
