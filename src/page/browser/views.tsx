/* Saved views: addresses of a list under names, kept in this browser for each user. */

import type { TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon.js';
import { keep, kept } from './kept.js';
import { currentProfile } from './model.js';
import { addressWith, changed, go } from './route.js';
import { say } from './toasts.js';

interface SavedView {
  name: string;
  /** What narrows, sorts and lays out the list. */
  query: string;
}

interface Views {
  all: readonly SavedView[];
  /** The query of the current view; empty for the initial list. */
  shown: string;
  set: (views: readonly SavedView[]) => void;
}

/** The page number is not part of a view. */
function queryIn(query: URLSearchParams): string {
  const own = changed(query, { page: undefined });
  own.sort();
  return own.toString();
}

/** The saved views of a list. @param path of the list, as addresses of the page have it */
export function useViews(path: string, query: URLSearchParams): Views {
  const place = `views.${currentProfile()!.id}`;
  const [views, setViews] = useState(() => kept<Record<string, readonly SavedView[]>>(place, {}));
  return {
    all: views[path] ?? [],
    shown: queryIn(query),
    set: (own) => {
      const next = { ...kept(place, {}), [path]: own };
      keep(place, next);
      setViews(next);
    },
  };
}

/** The views of a list as tabs above it. */
export function ViewTabs({ path, views: { all, shown, set } }: { path: string; views: Views }) {
  if (all.length === 0) return null;
  const current = all.find(({ query }) => query === shown);
  const remove = (): void => {
    set(all.filter((one) => one !== current));
    say(`View ${current!.name} removed`, { undo: () => Promise.resolve(set(all)) });
  };
  return (
    <nav class="tabs" aria-label="Saved views">
      {[{ name: 'All', query: '' }, ...all].map(({ name, query }) => (
        <a
          key={name}
          href={addressWith(path, new URLSearchParams(query))}
          aria-current={query === shown ? 'page' : undefined}
        >
          <bdi>{name}</bdi>
        </a>
      ))}
      {current && (
        <button type="button" class="quiet" onClick={remove}>
          Remove this view
        </button>
      )}
    </nav>
  );
}

/** Saves the current view, unless it is the initial list or a saved view. */
export function SaveView({ path, views: { all, shown, set } }: { path: string; views: Views }) {
  const menu = useRef<HTMLDetailsElement>(null);
  if (shown === '' || all.some(({ query }) => query === shown)) return null;
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name === '') return;
    set([...all.filter((one) => one.name !== name), { name, query: shown }]);
    menu.current!.open = false;
    say(`View ${name} saved`);
    go(addressWith(path, new URLSearchParams(shown)));
  };
  return (
    <details class="menu" ref={menu} onKeyDown={({ key }) => key === 'Escape' && (menu.current!.open = false)}>
      <summary>
        <Icon name="bookmark" />
        Save view
      </summary>
      <form onSubmit={save}>
        <label>
          Name of the view <input name="name" required maxlength={60} autocomplete="off" />
        </label>
        <button class="primary">Save</button>
      </form>
    </details>
  );
}
