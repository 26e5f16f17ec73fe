/* Search of everything and commands, from every page: the key `/`, or Control and K. */

import type { Row, Fault } from './types.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { queryOf } from './api.js';
import { actionsOf, type Command, commandsOf, placesOf } from './commands.js';
import { keep, kept } from './kept.js';
import { searched } from './finding/folding.js';
import { addressOfMatch, kindOf, Match } from './match.js';
import { Beside } from './names.js';
import { go } from './route.js';

const OFFERED = 12;
const SHORTEST = 2;

/** The choices: a record, a command, or all results. */
interface Offer {
  address?: string;
  match?: Row;
  command?: Command;
  total?: number;
}

/** Matches of one kind beside each other, the kind of the best match first, each in the order of the service. */
function grouped(matches: Row[]): Row[] {
  const kinds = [...new Set(matches.map(({ resource }) => resource as string))];
  return kinds.flatMap((kind) => matches.filter(({ resource }) => resource === kind));
}

const RECENT = 'recent';
const MOST_RECENT = 6;

/** The last opened results in this browser. */
const recent = (): Row[] => kept(RECENT, []);

const remember = ({ id, resource, name, path }: Row): void =>
  keep(RECENT, [{ id, resource, name, path }, ...recent().filter((one) => one.path !== path)].slice(0, MOST_RECENT));

export const isTyping = ({ target }: { target: EventTarget | null }): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));

export function SearchEverything({ path }: { path: string }) {
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ data?: Row[]; total?: number; actions?: Command[]; error?: Fault }>();
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
      const { signal } = controller;
      // A record may be gone before its actions are known. The matches are shown all the same.
      const actions = actionsOf(q, signal).catch(() => []);
      Promise.all([searched(`/api/search${queryOf({ q, pageSize: OFFERED })}`, signal), actions]).then(
        ([answer, offered]) => {
          setFound({ ...answer, actions: offered });
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
  const q = text.trim();
  const total = found?.total ?? 0;
  const matching = (match: Row): Offer => ({ match, address: addressOfMatch(match) });
  const doing = (command: Command): Offer => ({ command, address: command.address, match: command.match });
  // Without a text, the last opened results.
  const rows: Offer[] =
    q === ''
      ? isOpen
        ? recent().map(matching)
        : []
      : [
          ...[...commandsOf(q), ...(found?.actions ?? [])].map(doing),
          ...grouped(found?.data ?? []).map(matching),
          ...(total > OFFERED ? [{ total, address: `/search${queryOf({ q })}` }] : []),
          ...(found ? placesOf(q).map(doing) : []),
        ];
  const open = (offer: Offer | undefined): void => {
    if (!offer?.address) return;
    if (offer.match) remember(offer.match);
    setOpen(false);
    setFound(undefined);
    setText('');
    go(offer.address);
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
        placeholder="Search, or say what to do   /"
        value={text}
        onInput={({ currentTarget: target }) => {
          setText(target.value);
          setAt(0);
        }}
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
        {rows.map((offer, index) => (
          <li
            id={`match-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              open(offer);
            }}
          >
            <Offered offer={offer} />
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

function Offered({ offer: { command, match, total } }: { offer: Offer }) {
  if (!command) return match ? <Match match={match} hasAddresses /> : <span class="found">All {total} results</span>;
  return (
    <>
      <span class="found">
        {command.label}
        {match && (
          <>
            : <bdi>{match.name || kindOf(match.resource)}</bdi>
            <Beside resource={match.resource} id={match.id} always />
          </>
        )}
      </span>
      <span class="chip">{command.kind}</span>
    </>
  );
}
