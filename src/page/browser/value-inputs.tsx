/* Inputs for values whose text differs from the stored form: numbers, lists of lines, zones, words, structures. */

import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { labelOfValue } from '../../fields/labels.js';
import { typedNumber } from './numbers.js';
import { nearest } from './nearest.js';
import type { Common, Field } from './types.js';
import { same } from './writing.js';
import { isZone, zones } from './zones.js';

/** A value as a text that somebody edits, and back. */
interface Draft {
  write(value: any): string;
  read(text: string): unknown;
}

/**
 * The text of an input that parses it. What the user types stays, as long as it means the value.
 * @returns the text, and a function for a new text
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

/** A text that is not a number is sent unchanged, so that the service reports the fault. */
const numbers = (isWhole: boolean): Draft => ({
  write: (value) => (value === null || value === undefined ? '' : String(value)),
  read: (text) => typedNumber(text, isWhole),
});

const linesOf = (items: string | undefined): Draft => ({
  write: (value) => (value ?? []).join('\n'),
  read: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) =>
        items === 'integer' || items === 'number' ? typedNumber(line, items === 'integer') : line.trim(),
      ),
});

/** The name of a time zone. The names are offered. Another text is accepted with a note. */
export function ZoneInput({ value, set, common }: { value: any; set: (value: any) => void; common: Common }) {
  const known = `${common.id}-known`;
  return (
    <>
      <input
        type="text"
        {...common}
        list={known}
        autocomplete="off"
        value={value ?? ''}
        onInput={({ currentTarget: target }) => set(target.value === '' ? null : target.value)}
      />
      <datalist id={known}>
        {zones().map((name) => (
          <option value={name} />
        ))}
      </datalist>
      {value && !isZone(value) && (
        <p class="hint" role="status">
          No time zone has this name. It is stored as it is.
        </p>
      )}
    </>
  );
}

const OTHER = 'Other…';

/** One of the usual words, or another one. */
export function WordInput({
  known,
  field,
  value,
  set,
  common,
  label,
}: {
  known: readonly string[];
  field: Field;
  value: any;
  set: (value: any) => void;
  common: Common;
  label: string;
}) {
  const [isOther, setOther] = useState(Boolean(value) && !known.includes(value));
  const meant = isOther && value ? nearest(value, known) : undefined;
  const choose = (word: string): void => {
    setOther(word === OTHER);
    set(word === OTHER || word === '' ? null : word);
  };
  return (
    <>
      <select
        {...common}
        value={isOther ? OTHER : (value ?? '')}
        onChange={({ currentTarget: target }) => choose(target.value)}
      >
        {(field.nullable || !value) && <option value="">–</option>}
        {known.map((one) => (
          <option value={one}>{labelOfValue(one)}</option>
        ))}
        <option value={OTHER}>{OTHER}</option>
      </select>
      {isOther && (
        <input
          aria-label={`${label}, another word`}
          dir="auto"
          autocomplete="off"
          value={value ?? ''}
          onInput={({ currentTarget: target }) => set(target.value === '' ? null : target.value)}
        />
      )}
      {meant && (
        <p class="hint" role="status">
          Did you mean{' '}
          <button type="button" class="quiet" onClick={() => choose(meant)}>
            {meant}
          </button>
          ?
        </p>
      )}
    </>
  );
}

export function NumberInput({
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
  const [text, type] = useDraft(value, set, numbers(isWhole));
  return (
    <input inputmode={isWhole ? 'numeric' : 'decimal'} autocomplete="off" {...common} value={text} onInput={type} />
  );
}

export function Lines({
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

/** A structured value as JSON. Invalid JSON is sent as text, so that the service reports the fault. */
export function Structured({ value, set, common }: { value: any; set: (value: any) => void; common: Common }) {
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
