/* The form of a body: its inputs, its faults, and what is sent. */

import type { Field, FieldFault, Fault, Parts, Values } from './types.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Input } from './inputs.js';
import { fieldsOf, labelOf } from './model.js';
import { guard } from './route.js';

export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** What is left out of a body: fields that nobody filled in, in the rows of its lists too. */
const filled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined && one !== '')
      .map(([name, one]) => [name, filled(one)]),
  );
};

/** The values without those that an alternative to them makes void: no `count` beside `addresses`, unless somebody has changed it. */
function chosenOf(fields: Field[], values: Values, base: Values): Values {
  const alternatives = fields.filter(({ name, instead }) => instead && values[name]?.length > 0);
  if (alternatives.length === 0) return values;
  const kept = fields.filter(
    (field) => field.required || alternatives.includes(field) || !same(values[field.name], base[field.name]),
  );
  return Object.fromEntries(kept.map(({ name }) => [name, values[name]]));
}

const isIn = (fields: Field[], { field }: FieldFault): boolean =>
  fields.some(({ name }) => field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`));

/**
 * @param base values that the form begins with
 * @param submit takes what was filled in, and throws Refused
 * @param onStale takes what was filled in, if somebody else has changed the record
 */
export function Form({
  fields,
  base,
  label,
  submit,
  cancel,
  parts,
  onStale,
  rows: given,
  isPartial = false,
}: {
  fields: Field[];
  base: Values;
  label: string;
  submit: (body: Values) => Promise<void>;
  cancel: string;
  parts?: Parts;
  onStale?: (mine: Values) => Promise<void>;
  rows?: Values;
  isPartial?: boolean;
}) {
  const [values, setValues] = useState<Values>(given ?? base);
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const isTouched = !same(values, base);
  useEffect(() => {
    guard(isTouched ? () => confirm('Leave without saving what you typed?') : undefined);
    return () => guard(undefined);
  }, [isTouched]);
  useEffect(() => {
    if (error) summary.current?.focus();
  }, [error]);
  const changes = Object.fromEntries(
    fields.filter(({ name }) => !same(values[name], base[name])).map(({ name }) => [name, values[name] ?? null]),
  );
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    guard(undefined);
    try {
      await submit(isPartial ? changes : (filled(chosenOf(fields, values, base)) as Values));
    } catch (problem) {
      const refused = problem as Fault;
      guard(isTouched ? () => confirm('Leave without saving what you typed?') : undefined);
      setBusy(false);
      if (refused.status === 412 && onStale) await onStale(changes).catch((other) => setError(other as Fault));
      // The dialog that logs in again says why, and the form stays as it is.
      else if (refused.status !== 401) setError(refused);
    }
  };
  const faults = error?.details ?? [];
  const others = faults.filter((fault) => !isIn(fields, fault));
  const ordered = [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
  return (
    <form class="form" novalidate onSubmit={save}>
      {error && (
        <div class="failure" role="alert" tabindex={-1} ref={summary}>
          <p>
            {faults.length > others.length
              ? `${faults.length === 1 ? 'One field needs' : `${faults.length} fields need`} another look.`
              : `${error.message}${/[.!?]$/.test(error.message) ? '' : '.'}`}
          </p>
          {others.length > 0 && (
            <ul>
              {others.map(({ field, message }) => (
                <li>
                  <strong>{labelOf(field)}</strong> {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <div class="inputs">
        {ordered.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={values[field.name]}
            set={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            faults={faults}
            parts={parts}
            record={values}
          />
        ))}
      </div>
      <p class="tools submit">
        <button class="primary" disabled={isBusy}>
          {isBusy ? 'Saving …' : label}
        </button>
        <a class="button" href={cancel}>
          Cancel
        </a>
      </p>
    </form>
  );
}

/** The properties that a form asks for. An id of which nothing is known is not among them: nobody types ids. */
export const writable = (type: string | undefined): Field[] =>
  fieldsOf(type).filter(
    ({ readOnly, format, references, referencesBy }) =>
      !readOnly && !(format === 'uuid' && !references && !referencesBy),
  );
