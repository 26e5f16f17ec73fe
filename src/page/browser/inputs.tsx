/* The input for a field, by its declaration. */

import type { TargetedEvent } from 'preact';
import type { Field, FieldFault, Parts, Common, Values } from './types.js';
import { useState } from 'preact/hooks';
import { collectionOf, fieldsOf, labelOf, nameOf } from './model.js';
import { ReferenceInput } from './reference-input.js';

/** A time as the reader's clock shows it, for an input, and back. */
export const toLocal = (time: string | null | undefined): string => {
  if (!time) return '';
  const date = new Date(time);
  return new Date(date.getTime() - 60_000 * date.getTimezoneOffset()).toISOString().slice(0, 19).replace(/:00$/, '');
};
const fromLocal = (text: string): string | null => (text === '' ? null : new Date(text).toISOString());

const LONG = 1000;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** A value as a text that somebody edits, and back. */
interface Draft {
  write(value: any): string;
  read(text: string): unknown;
}

/**
 * The text of an input that reads something else from it. What somebody types stays as it is, as long as it means the value.
 * @returns the text, and what takes another one
 */
function useDraft(
  value: any,
  set: (value: any) => void,
  { write, read }: Draft,
): [string, (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) => void] {
  const [draft, setDraft] = useState(() => write(value));
  const type = ({ currentTarget: target }: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
    setDraft(target.value);
    set(read(target.value));
  };
  return [same(read(draft), value) ? draft : write(value), type];
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** What is no number goes as text, so that the service names the fault. */
const NUMBERS: Draft = {
  write: (value) => (value === null || value === undefined ? '' : String(value)),
  read: (text) => (text.trim() === '' ? null : NUMBER.test(text.trim()) ? Number(text.trim()) : text),
};

const linesOf = (items: string | undefined): Draft => ({
  write: (value) => (value ?? []).join('\n'),
  read: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => (items === 'integer' || items === 'number' ? NUMBERS.read(line) : line.trim())),
});

/** The faults of a field itself, in sentences. */
const faultsAt = (faults: FieldFault[], path: string): FieldFault[] => faults.filter(({ field }) => field === path);

/**
 * @param path of the field as the service names it: `items[0].quantity`
 * @param parts of the record that ids without a list of their own may belong to
 */
export function Input({
  field,
  path = field.name,
  value,
  set,
  faults,
  parts = {},
  record = {},
}: {
  field: Field;
  path?: string;
  value: any;
  set: (value: any) => void;
  faults: FieldFault[];
  parts?: Parts;
  record?: Values;
}) {
  const own = faultsAt(faults, path);
  const label = labelOf(field.name);
  const id = `field-${path.replaceAll(/[^\w]+/g, '-')}`;
  const about =
    field.description && field.description.toLowerCase() !== label.toLowerCase() ? field.description : undefined;
  const described = [about && `${id}-about`, own.length > 0 && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const common: Common = { id, 'aria-describedby': described, 'aria-invalid': own.length > 0 ? 'true' : undefined };
  const isGroup = field.type === 'array' && field.of;
  const notes = (
    <>
      {' '}
      {about && (
        <p class="hint" id={`${id}-about`}>
          {about}
          {field.format === 'date-time' && !field.day ? '. In your time zone' : ''}
        </p>
      )}
      {own.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {own.map(({ message }) => capitalised(message)).join('. ')}
        </p>
      )}
    </>
  );
  if (isGroup)
    return (
      <fieldset class="rows">
        <legend>
          {label}
          {field.required && <Star />}
        </legend>
        {notes}
        <Rows field={field} path={path} value={value ?? []} set={set} faults={faults} parts={parts} />
      </fieldset>
    );
  return (
    <div class={`control ${own.length > 0 ? 'faulty' : ''} ${isLong(field) ? 'wide' : ''}`}>
      <label for={id}>
        {label}
        {field.required && <Star />}
      </label>
      <Control field={field} value={value} set={set} common={common} label={label} parts={parts} record={record} />
      {notes}
    </div>
  );
}

const isLong = (field: Field): boolean =>
  (field.maxLength ?? 0) > LONG ||
  (field.type === 'object' && !field.references) ||
  (field.type === 'array' && !field.values);
const Star = () => (
  <>
    <span class="star" title="Needed" aria-hidden="true">
      {' '}
      *
    </span>
    <span class="hidden"> (needed)</span>
  </>
);
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Control({
  field,
  value,
  set,
  common,
  label,
  parts,
  record,
}: {
  field: Field;
  value: any;
  set: (value: any) => void;
  common: Common;
  label: string;
  parts: Parts;
  record: Values;
}) {
  const { type, format, values, known } = field;
  const references = field.references ?? (field.referencesBy ? record[field.referencesBy] : undefined);
  const text = ({
    currentTarget: target,
  }: TargetedEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>): void =>
    set(target.value === '' && (field.nullable || !field.required) ? null : target.value);
  const collection = references && collectionOf(references);
  if (collection && type === 'string' && !collection.path.includes('{'))
    return (
      <ReferenceInput
        key={references}
        id={common.id}
        label={label}
        resource={references}
        value={value ?? null}
        set={set}
        describedBy={common['aria-describedby']}
        invalid={common['aria-invalid']}
      />
    );
  if (format === 'uuid' && parts[field.name])
    return (
      <select {...common} value={value ?? ''} onChange={text}>
        <option value="">Choose</option>
        {parts[field.name].map((one) => (
          <option value={one.id}>{nameOf({ type: '' }, one)}</option>
        ))}
      </select>
    );
  if (type === 'boolean')
    return field.nullable ? (
      <select
        {...common}
        value={value === null || value === undefined ? '' : String(value)}
        onChange={({ currentTarget: target }) => set(target.value === '' ? null : target.value === 'true')}
      >
        <option value="">–</option>
        <option value="true">Yes</option>
        <option value="false">No</option>
      </select>
    ) : (
      <input
        type="checkbox"
        {...common}
        checked={Boolean(value)}
        onChange={({ currentTarget: target }) => set(target.checked)}
      />
    );
  if (type === 'array' && values)
    return (
      <span id={common.id} role="group" aria-label={label} class="choices">
        {values.map((one) => (
          <label>
            <input
              type="checkbox"
              checked={(value ?? []).includes(one)}
              onChange={({ currentTarget: target }) =>
                set(values.filter((each) => (each === one ? target.checked : (value ?? []).includes(each))))
              }
            />{' '}
            {labelOf(String(one))}
          </label>
        ))}
      </span>
    );
  if (type === 'array') return <Lines items={field.items} value={value} set={set} common={common} />;
  if (values)
    return (
      <select {...common} value={value ?? ''} onChange={text}>
        {(field.nullable || value === undefined || value === null) && <option value="">–</option>}
        {values.map((one) => (
          <option value={String(one)}>{capitalised(String(one).replaceAll('_', ' '))}</option>
        ))}
      </select>
    );
  if (type === 'integer' || type === 'number')
    return <NumberInput isWhole={type === 'integer'} value={value} set={set} common={common} />;
  if (field.day) return <input type="date" {...common} value={(value ?? '').slice(0, 10)} onInput={text} />;
  if (format === 'date-time-local')
    return <input type="datetime-local" step="1" {...common} value={(value ?? '').slice(0, 19)} onInput={text} />;
  if (format === 'date-time')
    return (
      <input
        type="datetime-local"
        step="1"
        {...common}
        value={toLocal(value)}
        onInput={({ currentTarget: target }) => set(fromLocal(target.value))}
      />
    );
  if (format === 'date') return <input type="date" {...common} value={value ?? ''} onInput={text} />;
  if (type === 'object') return <Structured value={value} set={set} common={common} />;
  if (field.writeOnly)
    return <input type="password" {...common} autocomplete="new-password" value={value ?? ''} onInput={text} />;
  if ((field.maxLength ?? 0) > LONG)
    return <textarea {...common} rows={4} dir="auto" value={value ?? ''} onInput={text}></textarea>;
  const list = known ? `${common.id}-known` : undefined;
  return (
    <>
      <input
        type={format === 'email' ? 'email' : 'text'}
        {...common}
        dir="auto"
        autocomplete="off"
        list={list}
        value={value ?? ''}
        onInput={text}
      />
      {known && (
        <datalist id={list}>
          {known.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

function NumberInput({
  isWhole,
  value,
  set,
  common,
}: {
  isWhole: boolean;
  value: any;
  set: (value: any) => void;
  common: Common;
}) {
  const [text, type] = useDraft(value, set, NUMBERS);
  return (
    <input inputmode={isWhole ? 'numeric' : 'decimal'} autocomplete="off" {...common} value={text} onInput={type} />
  );
}

function Lines({
  items,
  value,
  set,
  common,
}: {
  items: string | undefined;
  value: any;
  set: (value: any) => void;
  common: Common;
}) {
  const [text, type] = useDraft(value, set, linesOf(items));
  return (
    <textarea {...common} rows={3} dir="auto" placeholder="One on each line" value={text} onInput={type}></textarea>
  );
}

/** A value with a shape of its own, as JSON. What is no JSON goes as text, so that the service names the fault. */
function Structured({ value, set, common }: { value: any; set: (value: any) => void; common: Common }) {
  const read = ({ currentTarget: target }: TargetedEvent<HTMLTextAreaElement>): void => {
    try {
      set(target.value.trim() === '' ? null : JSON.parse(target.value));
      target.setCustomValidity('');
    } catch {
      target.setCustomValidity('This must be JSON');
    }
  };
  return (
    <textarea
      {...common}
      rows={3}
      class="code"
      spellcheck={false}
      defaultValue={value === null || value === undefined ? '' : JSON.stringify(value, null, 2)}
      onInput={read}
    ></textarea>
  );
}

/** The objects of a list, each with its own inputs. */
function Rows({
  field,
  path,
  value,
  set,
  faults,
  parts,
}: {
  field: Field;
  path: string;
  value: any;
  set: (value: any) => void;
  faults: FieldFault[];
  parts: Parts;
}) {
  const fields = fieldsOf(field.of).filter(({ readOnly }) => !readOnly);
  const change = (index: number, next: Values): void =>
    set(value.map((row: Values, at: number) => (at === index ? next : row)));
  return (
    <>
      {' '}
      {value.map((row: Values, index: number) => (
        <div class="row" key={index} role="group" aria-label={`${labelOf(field.name)} ${index + 1}`}>
          <div class="inputs">
            {fields.map((one) => (
              <Input
                field={one}
                path={`${path}[${index}].${one.name}`}
                value={row[one.name]}
                set={(next) => change(index, { ...row, [one.name]: next })}
                faults={faults}
                parts={parts}
                record={row}
              />
            ))}
          </div>
          <button
            type="button"
            class="quiet"
            onClick={() => set(value.filter((_: unknown, at: number) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => set([...value, {}])}>
        Add
      </button>
    </>
  );
}
