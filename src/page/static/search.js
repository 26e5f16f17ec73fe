/* Search of everything, from every page: the key `/`, or Control and K. */

import { useEffect, useRef, useState } from './hooks.js';
import { get, queryOf } from './api.js';
import { html } from './html.js';
import { labelOf, resolve } from './model.js';
import { go } from './route.js';

const OFFERED = 12;
const SHORTEST = 2;

const isTyping = ({ target }) => target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);

export function SearchEverything({ path }) {
  const input = useRef();
  const before = useRef();
  const [text, setText] = useState('');
  const [found, setFound] = useState();
  const [at, setAt] = useState(0);
  useEffect(() => {
    const press = (event) => {
      const isWanted =
        (event.key === '/' && !isTyping(event)) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
      if (!isWanted || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (document.activeElement !== input.current) before.current = document.activeElement;
      input.current.focus();
      input.current.select();
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
        (error) => error.name !== 'AbortError' && setFound({ error }),
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  const rows = found?.data ?? [];
  const addressOf = (match) => match && resolve(match.path) && match.path.slice(4);
  const open = (match) => {
    const address = addressOf(match);
    if (!address) return;
    setFound(undefined);
    setText('');
    go(address);
  };
  const press = (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt(Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(rows[at]);
    } else if (event.key === 'Escape') {
      setFound(undefined);
      setText('');
      input.current.blur();
      before.current?.focus();
    }
  };
  return html`<div class="everything" role="search">
    <input
      ref=${input}
      type="search"
      dir="auto"
      maxlength="255"
      role="combobox"
      aria-label="Search everything"
      aria-expanded=${rows.length > 0}
      aria-controls="matches"
      aria-autocomplete="list"
      aria-activedescendant=${rows.length > 0 ? `match-${at}` : undefined}
      placeholder="Search everything   /"
      value=${text}
      onInput=${({ target }) => setText(target.value)}
      onKeyDown=${press}
      onBlur=${() => setTimeout(() => setFound(undefined), 150)}
    />
    <ul id="matches" role="listbox" aria-label="Found" hidden=${rows.length === 0}>
      ${rows.map(
        (match, index) =>
          html`<li
            id=${`match-${index}`}
            role="option"
            aria-selected=${index === at}
            onMouseDown=${(event) => {
              event.preventDefault();
              open(match);
            }}
          >
            <bdi>${match.name}</bdi>
            <span class="muted"
              >${labelOf(match.resource)}${match.field === 'name' ? '' : `, by ${labelOf(match.field).toLowerCase()}`}</span
            >
          </li>`,
      )}
    </ul>
    ${found && rows.length === 0 && html`<p class="none" role="status">${found.error ? found.error.message : 'Nothing found'}</p>`}
    ${found?.total > rows.length && html`<p class="hidden" role="status">${found.total} found</p>`}
  </div>`;
}
