/* The address: after `#` the path of a list or record of the API, without `/api`, and what narrows it. */

import { useEffect, useState } from 'preact/hooks';

interface Route {
  path: string;
  query: URLSearchParams;
}

function read(): Route {
  const [path = '', query = ''] = location.hash.slice(1).split(/\?(.*)/s);
  return { path: path.replace(/(?<!\/)\/+$/, ''), query: new URLSearchParams(query) };
}

const isLeavable: { ask?: () => boolean } = {};
/** While `ask` is set, leaving a form asks first. @returns ends that, unless another view asks by now */
export const guard = (ask: (() => boolean) | undefined): (() => void) => {
  isLeavable.ask = ask;
  return () => {
    if (isLeavable.ask === ask) isLeavable.ask = undefined;
  };
};

export function useRoute(): Route {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    let shown = location.href;
    const change = (): void => {
      const asked = isLeavable.ask;
      if (asked && location.href !== shown && !asked()) {
        history.replaceState(null, '', shown);
        return;
      }
      isLeavable.ask = undefined;
      shown = location.href;
      setRoute(read());
    };
    const unload = (event: BeforeUnloadEvent): void => {
      if (isLeavable.ask) event.preventDefault();
    };
    addEventListener('hashchange', change);
    addEventListener('beforeunload', unload);
    return () => {
      removeEventListener('hashchange', change);
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
