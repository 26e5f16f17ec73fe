/* An input for records of several kinds, which the global search finds: the systems of a record. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { get, queryOf } from './api.js';
import { Beside } from './names.js';
import { Chosen } from './parts.js';
import { kindOf } from './match.js';
import type { Row } from './types.js';
import { useUnchosen } from './unchosen.js';

const FOUND = 20;
const OFFERED = 8;

export interface System {
  resource: string;
  id: string;
  name: string;
}

/** @param kinds resources that can be chosen */
export function SystemsInput({
  kinds,
  value,
  set,
}: {
  kinds: readonly string[];
  value: readonly System[];
  set: (systems: System[]) => void;
}) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<System[]>();
  const [at, setAt] = useState(0);
  const [missing, setMissing] = useState<string>();
  useEffect(() => {
    const q = text.trim();
    if (q.length < 2) return setFound(undefined);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      find(q, controller.signal).then(
        (all) => {
          setFound(all.slice(0, OFFERED));
          setAt(0);
        },
        () => {},
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  const choose = (system: System | undefined): void => {
    if (!system) return;
    if (!value.some(({ id }) => id === system.id)) set([...value, system]);
    setText('');
    setFound(undefined);
    setMissing(undefined);
  };
  /** The systems that can be chosen for a text. */
  const find = async (q: string, signal?: AbortSignal): Promise<System[]> => {
    const { data } = await get(`/api/search${queryOf({ q, pageSize: FOUND })}`, signal);
    return (data as (Row & System)[]).filter(({ resource }) => kinds.includes(resource));
  };
  /** Accepts the only system that is found for the text, or the one with that name. */
  const resolve = async (): Promise<boolean> => {
    const typed = text.trim();
    if (typed === '') return true;
    try {
      const all = await find(typed);
      const same = all.filter(({ name }) => name.toLowerCase() === typed.toLowerCase());
      const meant = same.length === 1 ? same[0] : all.length === 1 ? all[0] : undefined;
      if (meant) choose(meant);
      else if (all.length === 0) setMissing(`Nothing is named “${typed}”.`);
      else setMissing(`“${typed}” may be one of several. Choose one of them.`);
      return meant !== undefined;
    } catch (fault) {
      setMissing(`“${typed}” could not be looked up: ${(fault as Error).message}.`);
      return false;
    }
  };
  const box = useRef<HTMLInputElement>(null);
  useUnchosen(box, resolve);
  const press = (event: KeyboardEvent): void => {
    const last = (found?.length ?? 0) - 1;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt(Math.max(0, Math.min(last, at + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter' && text !== '') {
      event.preventDefault();
      choose(found?.[at]);
    } else if (event.key === 'Escape' && found) {
      event.stopPropagation();
      setFound(undefined);
    } else if (event.key === 'Backspace' && text === '') set(value.slice(0, -1));
  };
  return (
    <div class="control">
      <label for="systems">Systems</label>
      {value.length > 0 && (
        <span class="chips">
          {value.map((system) => (
            <Chosen
              key={system.id}
              removal={`Remove ${system.name}`}
              remove={() => set(value.filter(({ id }) => id !== system.id))}
            >
              <bdi>{system.name}</bdi>
              <Beside resource={system.resource} id={system.id} />
            </Chosen>
          ))}
        </span>
      )}
      <span class="reference">
        <input
          ref={box}
          id="systems"
          role="combobox"
          autocomplete="off"
          dir="auto"
          list={undefined}
          placeholder="Type to find"
          aria-expanded={found !== undefined}
          aria-controls="systems-found"
          aria-autocomplete="list"
          aria-activedescendant={found?.[at] ? `systems-${at}` : undefined}
          value={text}
          onInput={({ currentTarget }) => {
            // Enter must not choose a result of an earlier text. An input method that accepts its word reports the same text again.
            if (currentTarget.value !== text) setFound(undefined);
            setMissing(undefined);
            setText(currentTarget.value);
          }}
          onKeyDown={press}
          aria-invalid={missing ? 'true' : undefined}
          onBlur={() => {
            setFound(undefined);
            void resolve();
          }}
        />
        <ul id="systems-found" role="listbox" aria-label="Systems: found" hidden={!found}>
          {found?.map((system, index) => (
            <li
              key={system.id}
              id={`systems-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => {
                event.preventDefault();
                choose(system);
              }}
            >
              <span>
                <bdi>{system.name}</bdi>
                <Beside resource={system.resource} id={system.id} always />
              </span>{' '}
              <span class="muted">{kindOf(system.resource)}</span>
            </li>
          ))}
          {found?.length === 0 && (
            <li role="option" aria-disabled="true" aria-selected="false" class="muted">
              Nothing found
            </li>
          )}
        </ul>
        {missing && (
          <span class="fault" role="status">
            {missing}
          </span>
        )}
      </span>
    </div>
  );
}
