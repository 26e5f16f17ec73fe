/* The address: after `#` the path of a list or record of the API, without `/api`, and what narrows it. */

import { useEffect, useState } from './hooks.js';

function read() {
  const [path = '', query = ''] = location.hash.slice(1).split(/\?(.*)/s);
  return { path: path.replace(/\/+$/, ''), query: new URLSearchParams(query) };
}

const isLeavable = { ask: undefined };
/** While `ask` is set, leaving a form asks first. */
export const guard = (ask) => (isLeavable.ask = ask);

export function useRoute() {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    let shown = location.href;
    const change = () => {
      const asked = isLeavable.ask;
      if (asked && location.href !== shown && !asked()) {
        history.replaceState(null, '', shown);
        return;
      }
      isLeavable.ask = undefined;
      shown = location.href;
      setRoute(read());
    };
    const unload = (event) => isLeavable.ask && event.preventDefault();
    addEventListener('hashchange', change);
    addEventListener('beforeunload', unload);
    return () => {
      removeEventListener('hashchange', change);
      removeEventListener('beforeunload', unload);
    };
  }, []);
  return route;
}

export const addressWith = (path, query) => {
  const text = query.toString();
  return `#${path}${text === '' ? '' : `?${text}`}`;
};

/** The same address with other values in its query; undefined and empty ones are left out. */
export function changed(query, values) {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    next.delete(name);
    for (const one of [value].flat()) if (one !== undefined && one !== '') next.append(name, one);
  }
  return next;
}

export const go = (address) => (location.hash = address.replace(/^#/, ''));
