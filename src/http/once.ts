/** A value that is computed when it is first used. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Caches the result of `make`. It is called at the first use, and again if it failed. */
export function onceDone<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Values that are computed on first use, one for each key, and kept as long as the key. */
export function onceFor<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const all = new WeakMap<K, { value: T }>();
  return (key) => {
    let made = all.get(key);
    if (!made) all.set(key, (made = { value: make(key) }));
    return made.value;
  };
}
