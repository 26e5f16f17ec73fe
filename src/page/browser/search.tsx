/* Search of everything, from every page: the key `/`, or Control and K. */

import type { Row, Fault } from './types.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, queryOf } from './api.js';
import { keep, kept } from './kept.js';
import { addressOfMatch, Match } from './match.js';
import { go } from './route.js';

const OFFERED = 12;
const SHORTEST = 2;

/** In place of the path of a match: the way to all of them. */
const ALL = 'all';

/** Matches of one kind beside each other, the kind of the best match first, each in the order of the service. */
function grouped(matches: Row[]): Row[] {
  const kinds = [...new Set(matches.map(({ resource }) => resource as string))];
  return kinds.flatMap((kind) => matches.filter(({ resource }) => resource === kind));
}

const RECENT = 'recent';
const MOST_RECENT = 6;

/** What was opened last in this browser. */
const recent = (): Row[] => kept(RECENT, []);

const remember = ({ id, resource, name, path }: Row): void =>
  keep(RECENT, [{ id, resource, name, path }, ...recent().filter((one) => one.path !== path)].slice(0, MOST_RECENT));

export const isTyping = ({ target }: { target: EventTarget | null }): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

export function SearchEverything({ path }: { path: string }) {
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ data?: Row[]; total?: number; error?: Fault }>();
  const [at, setAt] = useState(0);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isWanted =
        (event.key === '/' && !isTyping(event)) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
      if (!isWanted || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (document.activeElement !== input.current) before.current = document.activeElement as HTMLElement | null;
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  useEffect(() => {
    setFound(undefined);
    setText('');
  }, [path]);
  useEffect(() => {
    const q = text.trim();
    if ([...q].length < SHORTEST) {
      setFound(undefined);
      return undefined;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      get(`/api/search${queryOf({ q, pageSize: OFFERED })}`, controller.signal).then(
        (answer) => {
          setFound(answer);
          setAt(0);
        },
        (error: Error) => {
          if (error.name !== 'AbortError') setFound({ error });
        },
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  const isEmpty = text.trim() === '';
  // Without a text, what was opened last.
  const total = found?.total ?? 0;
  const rows =
    isEmpty && isOpen
      ? recent()
      : [...grouped(found?.data ?? []), ...(total > OFFERED ? [{ id: ALL, path: ALL, total } as Row] : [])];
  const open = (match: Row | undefined): void => {
    const address = match?.path === ALL ? `/search${queryOf({ q: text.trim() })}` : match && addressOfMatch(match);
    if (!address) return;
    if (match!.path !== ALL) remember(match!);
    setOpen(false);
    setFound(undefined);
    setText('');
    go(address);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt(Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(rows[at]);
    } else if (event.key === 'Escape') {
      setFound(undefined);
      setText('');
      input.current?.blur();
      before.current?.focus();
    }
  };
  return (
    <div class="everything" role="search">
      <input
        ref={input}
        type="search"
        dir="auto"
        maxlength={255}
        role="combobox"
        list={undefined}
        aria-label="Search everything"
        aria-expanded={rows.length > 0}
        aria-controls="matches"
        aria-autocomplete="list"
        aria-activedescendant={rows.length > 0 ? `match-${at}` : undefined}
        placeholder="Search everything   /"
        value={text}
        onInput={({ currentTarget: target }) => setText(target.value)}
        onKeyDown={press}
        onFocus={() => {
          setOpen(true);
          setAt(0);
        }}
        onBlur={() =>
          void setTimeout(() => {
            setFound(undefined);
            setOpen(false);
          }, 150)
        }
      />
      <ul id="matches" role="listbox" aria-label="Found" hidden={rows.length === 0}>
        {rows.map((match, index) => (
          <li
            id={`match-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              open(match);
            }}
          >
            {match.path === ALL ? <span class="found">All {match.total} results</span> : <Match match={match} />}
          </li>
        ))}
      </ul>
      {found && rows.length === 0 && (
        <p class="none" role="status">
          {found.error ? found.error.message : 'Nothing found'}
        </p>
      )}
    </div>
  );
}
