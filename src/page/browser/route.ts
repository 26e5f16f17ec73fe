/* The address: after `#` the path of a list or record of the API, without `/api`, and the parameters of the view. */

import { useEffect, useState } from 'preact/hooks';

interface Route {
  path: string;
  query: URLSearchParams;
  /** As it was read, with `#`; empty for the first view. */
  address: string;
}

function read(): Route {
  const address = location.hash;
  const [path = '', query = ''] = address.slice(1).split(/\?(.*)/s);
  return { path: path.replace(/(?<!\/)\/+$/, ''), query: new URLSearchParams(query), address };
}

const isLeavable: { ask?: () => boolean } = {};
/** While `ask` is set, leaving a form asks for confirmation. @returns a function that ends this, unless another view asks by now */
export const guard = (ask: (() => boolean) | undefined): (() => void) => {
  isLeavable.ask = ask;
  return () => {
    if (isLeavable.ask === ask) isLeavable.ask = undefined;
  };
};

/** The number of an entry of the browser's history; undefined for one that is new. */
const numberOf = (state: unknown): number | undefined => (state as { at?: number } | null)?.at;

/** Milliseconds after which a browser has arrived at an entry of its history. */
const ARRIVAL = 50;
/** Milliseconds within which a restored view must reach its former length. */
const SETTLING = 10_000;
const LOOK = 50;

/** Leaves the view that came back last where it is. */
let letScroll = (): void => {};

/** Restores the scroll position of a view as soon as it is long enough. If the user scrolls meanwhile, it does nothing. */
function scrollBack(to: number): void {
  const end = Date.now() + SETTLING;
  const stop = (): void => {
    clearInterval(timer);
    for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown']) removeEventListener(type, stop);
  };
  const timer = setInterval(() => {
    if (scrollY !== to && document.documentElement.scrollHeight - innerHeight >= to) scrollTo(0, to);
    if (Date.now() > end) stop();
  }, LOOK);
  for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown']) addEventListener(type, stop);
  letScroll = stop;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    let shown = location.href;
    // The address may have changed since the last drawing.
    if (route.address !== location.hash) setRoute(read());
    let position = numberOf(history.state) ?? 0;
    const heights = new Map<number, number>();
    history.scrollRestoration = 'manual';
    history.replaceState({ at: position }, '');
    const change = (): void => {
      // Returns from an entry that was not entered.
      if (location.href === shown) return;
      const at = numberOf(history.state);
      const asked = isLeavable.ask;
      // The history stays the same, whatever led here.
      if (asked && !asked()) return history.go(at === undefined ? -1 : position - at);
      isLeavable.ask = undefined;
      letScroll();
      heights.set(position, scrollY);
      position = at ?? position + 1;
      if (at === undefined) history.replaceState({ at: position }, '');
      else scrollBack(heights.get(at) ?? 0);
      shown = location.href;
      setRoute(read());
    };
    let asking: ReturnType<typeof setTimeout> | undefined;
    const arrive = (): void => {
      clearTimeout(asking);
      // A browser closes a confirmation while it navigates its history.
      if (isLeavable.ask) asking = setTimeout(change, ARRIVAL);
      else change();
    };
    const unload = (event: BeforeUnloadEvent): void => {
      if (isLeavable.ask) event.preventDefault();
    };
    addEventListener('hashchange', arrive);
    addEventListener('beforeunload', unload);
    return () => {
      removeEventListener('hashchange', arrive);
      removeEventListener('beforeunload', unload);
    };
  }, []);
  return route;
}

export const addressWith = (path: string, query: URLSearchParams): string => {
  const text = query.toString();
  return `#${path}${text === '' ? '' : `?${text}`}`;
};

/** The same address with other values in its query; undefined and empty ones are left out. */
export function changed(query: URLSearchParams, values: Record<string, unknown>): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    next.delete(name);
    for (const one of [value].flat()) if (one !== undefined && one !== '') next.append(name, String(one));
  }
  return next;
}

export const go = (address: string): void => {
  location.hash = address.replace(/^#/, '');
};
