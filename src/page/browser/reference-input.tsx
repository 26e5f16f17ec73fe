/* Inputs for references. The user types to find records by names and texts. */

import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { get, queryOf } from './api.js';
import { apartIn, besideOf, collectionAt, collectionOf, fill, labelOf, nameOf } from './model.js';
import { Muted, Reference } from './names.js';
import { OFFERED, offers, ownersOf, type Offer } from './offers.js';
import { newRecordOf, PlannedIn } from './planned-records.js';
import type { Collection, Row, Values } from './types.js';
import { useUnchosen } from './unchosen.js';

let count = 0;

/** Fields of a form with a place or an owner. They narrow the offers of other fields. */
const NARROWING = ['siteId', 'locationId', 'manufacturerId'];

/** The filter for a list's records from the values of a form. */
export const narrowedBy = (collection: Collection, record: Values): Record<string, string> =>
  Object.fromEntries(
    NARROWING.filter((name) => record[name] && collection.filters.some((filter) => filter.name === name)).map(
      (name) => [name, record[name] as string],
    ),
  );

/** Description of the chosen record. */
const calledIn = (collection: Collection, record: Row): string =>
  [nameOf(collection, record), collection.namesRepeat ? besideOf(collection, record) : '']
    .filter((text) => text !== '')
    .join(' · ');

interface ReferenceInputProps {
  label: string;
  resource: string;
  value: string | null;
  /** Takes the id, or null. */
  set: (id: string | null) => void;
  describedBy?: string;
  invalid?: 'true';
  required?: boolean;
  id?: string;
  /** Path of the list; that of the resource if it is not given. */
  path?: string;
  /** The id of the input, if it is to be found, with its label. */
  fieldId?: string;
  /** Filters of the offered records. */
  within?: Record<string, string>;
}

export function ReferenceInput({
  label,
  resource,
  value,
  set,
  describedBy,
  invalid,
  required,
  id: given,
  fieldId,
  path: at,
  within = {},
}: ReferenceInputProps) {
  const collection = collectionOf(resource)!;
  const path = at ?? collection.path;
  const [id] = useState<string>(() => given ?? fieldId ?? `reference-${++count}`);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Offer>();
  const [size, setSize] = useState(OFFERED);
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const [missing, setMissing] = useState<string>();
  const chosen = useRef<{ id: string | null; name?: string }>({ id: null });
  const plan = useContext(PlannedIn);
  useEffect(() => {
    if (value === chosen.current.id) return undefined;
    const controller = new AbortController();
    chosen.current = { id: value };
    setText('');
    if (value)
      get(`${path}/${value}${queryOf({ expand: apartIn(collection) })}`, controller.signal)
        .then(
          ({ data }): Row | undefined => data,
          () => newRecordOf(plan, resource, value),
        )
        .then((record) => {
          if (!record || controller.signal.aborted) return;
          const name = calledIn(collection, record);
          chosen.current.name = name;
          // A text that was typed meanwhile is newer.
          setText((typed) => (typed === '' ? name : typed));
        });
    return () => controller.abort();
  }, [value]);
  const search = text !== chosen.current.name ? text.trim() : '';
  useEffect(() => {
    if (!isOpen) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      offers({ collection, path, search, size, within, plan, signal: controller.signal }).then(
        (answer) => {
          setFound(answer);
          setActive(-1);
        },
        () => {},
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isOpen, text, size]);
  const choose = (record: Row): void => {
    const name = calledIn(collection, record);
    chosen.current = { id: record.id, name };
    setText(name);
    setOpen(false);
    setMissing(undefined);
    set(record.id);
  };
  /** Accepts the only record that is offered for a text, or the one with that name. */
  const take = async (typed: string): Promise<boolean> => {
    let all: Offer;
    try {
      all = await offers({ collection, path, search: typed, within, plan });
    } catch (fault) {
      setMissing(`“${typed}” could not be looked up: ${(fault as Error).message}.`);
      return false;
    }
    const same = all.data.filter((one) => nameOf(collection, one).toLowerCase() === typed.toLowerCase());
    const meant = same.length === 1 ? same[0] : all.total === 1 ? all.data[0] : undefined;
    if (meant) choose(meant);
    else if (all.total === 0) setMissing(`Nothing is named “${typed}”.`);
    else setMissing(`“${typed}” may be one of several. Choose one of them.`);
    return meant !== undefined;
  };
  /** The text of the running look-up. Leaving the input and submitting the form may request the same. */
  const taking = useRef<{ typed: string; result: Promise<boolean> } | undefined>(undefined);
  const resolve = (): Promise<boolean> => {
    const typed = text.trim();
    if (typed === '' && value) {
      chosen.current = { id: null };
      set(null);
    }
    if (typed === '' || typed === (chosen.current.name ?? '').trim()) return Promise.resolve(true);
    if (taking.current?.typed !== typed)
      taking.current = { typed, result: take(typed).finally(() => (taking.current = undefined)) };
    return taking.current.result;
  };
  const box = useRef<HTMLInputElement>(null);
  useUnchosen(box, resolve);
  const leave = (): void => {
    setOpen(false);
    setSize(OFFERED);
    void resolve();
  };
  const rows = found?.data ?? [];
  const left = (found?.total ?? 0) - rows.length;
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      // One step beyond the last loads more.
      if (event.key === 'ArrowDown' && active === rows.length - 1 && left > 0) setSize(size + OFFERED);
      setActive(Math.max(0, Math.min(rows.length - 1, active + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (rows.length > 0) choose(rows[Math.max(0, active)]!);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    }
  };
  const input = (
    <span class="reference">
      <input
        ref={box}
        id={id}
        role="combobox"
        list={undefined}
        autocomplete="off"
        dir="auto"
        aria-expanded={isOpen}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={missing ? 'true' : invalid}
        required={required}
        placeholder="Type to find"
        value={text}
        onInput={({ currentTarget: target }) => {
          // Enter must not choose a result of an earlier text. An input method that accepts its word reports the same text again.
          if (target.value !== text) setFound(undefined);
          setText(target.value);
          setMissing(undefined);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={press}
        onBlur={leave}
      />
      <ul id={`${id}-found`} role="listbox" aria-label={`${label}: found`} hidden={!isOpen}>
        {rows.map((record, index) => (
          <li
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(record);
            }}
          >
            <span>
              <bdi>{nameOf(collection, record)}</bdi>
              <Muted beside={index < (found?.planned ?? 0) ? 'new' : besideOf(collection, record)} />
            </span>
          </li>
        ))}
        {left > 0 && (
          <li
            role="option"
            aria-selected="false"
            class="muted"
            onMouseDown={(event) => {
              event.preventDefault();
              setSize(size + OFFERED);
            }}
          >
            {left} more …
          </li>
        )}
        {rows.length === 0 && (
          <li role="option" aria-disabled="true" aria-selected="false" class="muted">
            {found ? 'Nothing found' : 'Searching …'}
          </li>
        )}
      </ul>
      {missing && (
        <span class="fault" role="status">
          {missing}
        </span>
      )}
    </span>
  );
  return given ? (
    input
  ) : (
    <div class="control">
      <label for={id}>{label}</label>
      {input}
    </div>
  );
}

/** A reference to a part of another record, such as a port: its owner is chosen first, unless the form has it. */
export function PartInput({ record, ...props }: ReferenceInputProps & { record: Values }) {
  const { path } = collectionOf(props.resource)!;
  const { list, property } = ownersOf(collectionOf(props.resource)!)!;
  const owners = collectionAt(list)!;
  const [own, setOwn] = useState<string | null>(null);
  const owner = (record[property] as string | null | undefined) ?? own;
  return (
    <>
      {!record[property] && (
        <ReferenceInput
          id={`${props.id}-owner`}
          label={`${props.label}: ${labelOf(property)}`}
          resource={owners.resource!}
          value={own}
          set={setOwn}
        />
      )}
      {owner ? (
        <ReferenceInput key={owner} {...props} path={fill(path, `${list}/${owner}`)} />
      ) : (
        <input id={props.id} disabled placeholder={`Choose a ${(owners.one ?? 'record').toLowerCase()} first`} />
      )}
    </>
  );
}

/** A list of references, in the order in which they were chosen. */
export function ReferencesInput({
  value,
  set,
  ...props
}: Omit<ReferenceInputProps, 'value' | 'set'> & { value: string[]; set: (ids: string[]) => void }) {
  const [turn, setTurn] = useState(0);
  // The next reference has another input element, which gets the focus.
  useEffect(() => {
    if (turn > 0 && document.activeElement === document.body) document.getElementById(props.id!)?.focus();
  }, [turn]);
  const swap = (index: number): void =>
    set(value.map((id, at) => (at === index - 1 ? value[index]! : at === index ? value[index - 1]! : id)));
  return (
    <div class="references">
      {value.length > 0 && (
        <ol>
          {value.map((id, index) => (
            <li key={id} class="line">
              <Reference resource={props.resource} id={id} />
              <button
                type="button"
                class="quiet"
                disabled={index === 0}
                aria-label="Move up"
                onClick={() => swap(index)}
              >
                ↑
              </button>
              <button
                type="button"
                class="quiet"
                aria-label="Remove"
                onClick={() => set(value.filter((one) => one !== id))}
              >
                ×
              </button>
            </li>
          ))}
        </ol>
      )}
      <ReferenceInput
        key={turn}
        {...props}
        value={null}
        set={(id) => {
          if (id && !value.includes(id)) set([...value, id]);
          setTurn(turn + 1);
        }}
      />
    </div>
  );
}
