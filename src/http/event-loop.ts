import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other requests get a turn of the event loop. */
const TURN = 10;

/** @returns a function to await between two steps of work. It lets other requests run if the work has used up its turn. */
export function betweenTurns(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < TURN) return undefined;
    return setImmediate().then(() => {
      began = performance.now();
    });
  };
}
