/* The form of a body: its inputs, its faults, and its submission. */

import type { BesideFormProps, Collection, Fault, Field, FieldFault, Parts, Row, Shape, Values } from './types.js';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { groupsOf, ungrouped } from './groups.js';
import { idOf, Input } from './inputs.js';
import { labelOf } from './model.js';
import { Standing } from './parts.js';
import { guard } from './route.js';
import { anotherLook, Frame, LEAVING } from './task.js';
import { same } from './writing.js';

/** Empty fields are left out of a body, and out of the rows of its lists. */
const filled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined && one !== '')
      .map(([name, one]) => [name, filled(one)]),
  );
};

/** The values without those that have an alternative: no `count` beside `addresses`, unless the user has changed it. */
function chosenOf(fields: Field[], values: Values, base: Values): Values {
  const alternatives = fields.filter(({ name, instead }) => instead && values[name]?.length > 0);
  if (alternatives.length === 0) return values;
  const kept = fields.filter(
    (field) => field.required || alternatives.includes(field) || !same(values[field.name], base[field.name]),
  );
  return Object.fromEntries(kept.map(({ name }) => [name, values[name]]));
}

/** A field as the values of the others leave it: none, if only records of another kind have it. */
const askedWith =
  (values: Values) =>
  (field: Field): Field[] => {
    const { onlyWith } = field;
    if (!onlyWith) return [field];
    if (values[onlyWith.property] !== onlyWith.value) return [];
    return [onlyWith.isNeeded ? { ...field, required: true } : field];
  };

const isIn = (fields: Field[], { field }: FieldFault): boolean =>
  fields.some(({ name }) => field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`));

const askToLeave = (): boolean => confirm(LEAVING);

/**
 * @param base initial values of the form
 * @param submit gets the values, and throws Refused
 * @param onStale gets the values if another user has changed the record
 */
export function Form({
  fields: all,
  base,
  label,
  submit,
  cancel,
  parts,
  onStale,
  rows: given,
  pending,
  isPartial = false,
  groups,
  isNew = false,
  shape,
  extra,
  beside: Beside,
}: {
  fields: Field[];
  base: Values;
  label: string;
  submit: (body: Values) => Promise<void>;
  cancel: string | (() => void);
  parts?: Parts;
  onStale?: (mine: Values) => Promise<void>;
  rows?: Values;
  /** Planned values: initial values that the user has not typed. */
  pending?: Values;
  isPartial?: boolean;
  /** The resource of the form, whose groups are its sections. */
  groups?: Pick<Collection, 'groups' | 'type'>;
  /** Whether the form is new and empty, so that its first empty input gets the focus. */
  isNew?: boolean;
  /** The inputs depend on the current values. */
  shape?: Shape;
  /** Further inputs at its end, depending on the current values. */
  extra?: (values: Values) => ComponentChildren;
  /** Stands beside the form on wide screens. */
  beside?: FunctionComponent<BesideFormProps>;
}) {
  const isWide = useWide();
  const [values, setValues] = useState<Values>(given ?? { ...base, ...pending });
  const fields = (shape ? shape.fields(all, values) : all)
    .filter(({ fixed }) => !(isPartial && fixed))
    .flatMap(askedWith(values));
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const inputs = form.current!.querySelectorAll<HTMLInputElement>(
      '.inputs :is(input:not([type=checkbox]), textarea)',
    );
    if (isNew) [...inputs].find(({ value, disabled }) => value === '' && !disabled)?.focus({ preventScroll: true });
  }, []);
  const isTouched = !same(values, { ...base, ...pending });
  useEffect(() => guard(isTouched ? askToLeave : undefined), [isTouched]);
  useEffect(() => {
    if (error) summary.current?.focus();
  }, [error]);
  const changes = Object.fromEntries(
    fields.filter(({ name }) => !same(values[name], base[name])).map(({ name }) => [name, values[name] ?? null]),
  );
  /** A default value that the user has removed. */
  const cleared = Object.fromEntries(
    fields
      .filter(({ name, custom, default: usual }) => custom && usual !== undefined && (values[name] ?? null) === null)
      .map(({ name }) => [name, null]),
  );
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    guard(undefined);
    try {
      const asked = Object.fromEntries(fields.map(({ name }) => [name, values[name]]));
      const body = isPartial ? changes : { ...(filled(chosenOf(fields, asked, base)) as Values), ...cleared };
      await submit(shape ? shape.body(body, values) : body);
    } catch (problem) {
      const refused = problem as Fault;
      guard(isTouched ? askToLeave : undefined);
      setBusy(false);
      if (refused.status === 412 && onStale) await onStale(changes).catch((other) => setError(other as Fault));
      // The login dialog shows the reason, and the form stays the same.
      else if (refused.status !== 401) setError(refused);
    }
  };
  const faults = error?.details ?? [];
  const others = faults.filter((fault) => !isIn(fields, fault));
  const ordered = shape
    ? fields
    : [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
  const sections = groups?.groups ? groupsOf(groups, ordered) : ungrouped(ordered);
  const faulty = faults.filter((fault) => isIn(fields, fault));
  const framed = (
    <Frame
      doing={{ isBusy, submit: (event) => void save(event) }}
      label={isBusy ? 'Saving …' : label}
      cancel={cancel}
      novalidate
      element={form}
      faults={
        error && (
          <div class="failure" role="alert" tabindex={-1} ref={summary}>
            <p>
              {faults.length > others.length
                ? anotherLook(faults.length)
                : `${error.message}${/[.!?]$/.test(error.message) ? '' : '.'}`}
            </p>
            {faulty.length > 0 && (
              <ul>
                {faulty.map(({ field, message }) => (
                  <li key={field}>
                    <a href="#" onClick={(event) => toField(event, field)}>
                      {saidOf(field, fields)}
                    </a>{' '}
                    {message}
                  </li>
                ))}
              </ul>
            )}
            {others.length > 0 && (
              <ul>
                {others.map(({ field, message }) => (
                  <li>
                    <strong>{labelOf(field)}</strong> {message}
                  </li>
                ))}
              </ul>
            )}
            {error.against && <Standing {...error.against} />}
          </div>
        )
      }
    >
      {sections.map(({ title, fields: own }) => (
        <section class="section" key={title}>
          {title && <h2>{title}</h2>}
          <div class="inputs">
            {own.map((field) => (
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
        </section>
      ))}
      {extra?.(values)}
    </Frame>
  );
  if (!Beside) return framed;
  return (
    <div class="form-and-choice">
      {framed}
      {isWide && (
        <aside aria-label="Beside the form">
          <Beside values={values as Row} set={(some) => setValues((before) => ({ ...before, ...some }))} />
        </aside>
      )}
    </div>
  );
}

/** From this width on, a form has room beside it. */
const WIDE = '(min-width: 1100px)';

function useWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const change = (): void => setWide(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return isWide;
}

/** The name of a field in a sentence: "Items 2: quantity" for `items[1].quantity`. */
const saidOf = (path: string, fields: Field[]): string => {
  const field = fields.find(({ name }) => name === path);
  return field ? labelOf(field) : partsSaid(path);
};

const partsSaid = (path: string): string =>
  path
    .split('.')
    .map((part) => {
      const [, name = part, at] = /^(\w+)\[(\d+)\]$/.exec(part) ?? [];
      return `${labelOf(name)}${at === undefined ? '' : ` ${Number(at) + 1}`}`;
    })
    .join(': ');

/** Links from the banner to the faulty input. */
function toField(event: Event, path: string): void {
  event.preventDefault();
  const input = document.getElementById(idOf(path));
  input?.scrollIntoView({ block: 'center' });
  input?.focus();
}

/** The declared default values. */
export const defaultsOf = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])));
