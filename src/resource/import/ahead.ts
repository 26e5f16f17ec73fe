/** The values of a source. The next one is made while the current one is used. */
export async function* readAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = source.next();
      // A failure is handled where it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    source.return().catch(() => {});
  }
}

/** Waits for both, also if one fails. @throws the error of the first, else that of the second */
export async function both(first: Promise<void>, second: Promise<void>): Promise<void> {
  for (const result of await Promise.allSettled([first, second])) {
    if (result.status === 'rejected') throw result.reason;
  }
}
