/* An input for a reference: what is typed finds records by their texts. */

import type { Row } from './types.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, queryOf } from './api.js';
import { collectionOf, nameOf } from './model.js';

const OFFERED = 10;
let count = 0;

/** @param value the id, or null. @param set takes the id, or null */
export function ReferenceInput({
  label,
  resource,
  value,
  set,
  describedBy,
  invalid,
  required,
  id: given,
}: {
  label: string;
  resource: string;
  value: any;
  set: (value: any) => void;
  describedBy?: string | undefined;
  invalid?: 'true' | undefined;
  required?: boolean;
  id?: string;
}) {
  const collection = collectionOf(resource)!;
  const [id] = useState<string>(() => given ?? `reference-${++count}`);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Row[]>();
  const [at, setAt] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const chosen = useRef<{ id: string | null; name?: string }>({ id: null });
  useEffect(() => {
    if (value === chosen.current.id) return undefined;
    const controller = new AbortController();
    chosen.current = { id: value };
    setText('');
    if (value)
      get(`${collection.path}/${value}`, controller.signal).then(
        ({ data }) => {
          chosen.current.name = nameOf(collection, data);
          // What was typed meanwhile is newer.
          setText((typed) => (typed === '' ? (chosen.current.name ?? '') : typed));
        },
        () => {},
      );
    return () => controller.abort();
  }, [value]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const controller = new AbortController();
    const search = collection.search && text !== chosen.current.name ? text.trim() : '';
    const timer = setTimeout(() => {
      get(`${collection.path}${queryOf({ search, pageSize: OFFERED })}`, controller.signal).then(
        ({ data }) => {
          setFound(data);
          setAt(-1);
        },
        () => {},
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isOpen, text]);
  const choose = (record: Row): void => {
    const name = nameOf(collection, record);
    chosen.current = { id: record.id, name };
    setText(name);
    setOpen(false);
    set(record.id);
  };
  const leave = () => {
    setOpen(false);
    if (text.trim() === '' && value) {
      chosen.current = { id: null };
      set(null);
    } else if (text !== (chosen.current.name ?? '')) setText(chosen.current.name ?? '');
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      setAt(Math.max(0, Math.min((found?.length ?? 0) - 1, at + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (found && found.length > 0) choose(found[Math.max(0, at)]!);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    }
  };
  const input = (
    <span class="reference">
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        dir="auto"
        aria-expanded={isOpen}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        required={required}
        placeholder="Type to find"
        value={text}
        onInput={({ currentTarget: target }) => {
          setText(target.value);
          // Enter must not choose what an earlier text has found.
          setFound(undefined);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={press}
        onBlur={leave}
      />
      <ul id={`${id}-found`} role="listbox" aria-label={`${label}: found`} hidden={!isOpen}>
        {found?.map((record, index) => (
          <li
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(record);
            }}
          >
            <bdi>{nameOf(collection, record)}</bdi>
          </li>
        ))}
        {!found?.length && (
          <li role="option" aria-disabled="true" aria-selected="false" class="muted">
            {found ? 'Nothing found' : 'Searching …'}
          </li>
        )}
      </ul>
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
