/* A value for many records, each of a few choices a click away. */

import { wordOf } from '../inputs.js';
import { labelOf } from '../model.js';
import type { Field } from '../types.js';

/** With more values than these, they are offered as in a form. */
const MOST = 8;
const OTHER = 'Other…';

/** The few values of a field; undefined if there are many, or any other text. */
export function fewOf({ type, values, known, references, nullable }: Field): unknown[] | undefined {
  const all = type === 'boolean' ? [true, false] : type === 'array' || references ? undefined : (values ?? known);
  return all && all.length <= MOST ? [...all, ...(nullable ? [null] : [])] : undefined;
}

const saidOf = (field: Field, value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'Yes' : 'No') : wordOf(field, value);

/** @param other is called for a value that is not among the usual ones */
export function OneOf({
  field,
  few,
  value,
  set,
  other,
}: {
  field: Field;
  few: readonly unknown[];
  /** Undefined before one is chosen. */
  value: unknown;
  set: (value: unknown) => void;
  other: () => void;
}) {
  return (
    <fieldset class="one-of">
      <legend>{labelOf(field)}</legend>
      <span class="choices">
        {few.map((one) => (
          <label key={String(one)}>
            <input type="radio" name="one-of" checked={value === one} onChange={() => set(one)} /> {saidOf(field, one)}
          </label>
        ))}
        {field.known && (
          <button type="button" class="quiet" onClick={other}>
            {OTHER}
          </button>
        )}
      </span>
    </fieldset>
  );
}
