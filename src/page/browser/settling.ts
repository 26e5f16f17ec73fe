/* Whether a view still waits for answers or for scripts. */

let waiting = 0;

/** Counts a promise that a view waits for. */
export function awaited<T>(promise: Promise<T>): Promise<T> {
  waiting += 1;
  const done = (): void => {
    waiting -= 1;
  };
  promise.then(done, done);
  return promise;
}

/** Frames without anything that is awaited. An answer may lead to another request in the next one. */
const QUIET = 4;
/** After this time a view is shown as far as it is known. */
const MOST_MS = 3000;

/** Calls `done` once nothing is awaited. @returns a function that stops this */
export function whenSettled(done: () => void): () => void {
  const begun = performance.now();
  let quiet = 0;
  const look = (): void => {
    quiet = waiting === 0 ? quiet + 1 : 0;
    if (quiet > QUIET || performance.now() - begun > MOST_MS) done();
    else frame = requestAnimationFrame(look);
  };
  let frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}
