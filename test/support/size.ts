/**
 * Whether tests whose size is arbitrary run in full, as in CI, and with them the ones that start many processes. Without
 * `TEST_FULL=yes` they are a part of that, and files named `.full.spec.ts` do not run, so that `npm test` takes a few minutes.
 */
export const inFull = process.env.TEST_FULL === 'yes';

export const itInFull: jest.It = inFull ? it : it.skip;

/** What a test is repeated for: every third of them, or in full all of them. */
export const someOf = <T>(all: readonly T[]): readonly T[] =>
  inFull ? all : all.filter((_, index) => index % 3 === 0);
