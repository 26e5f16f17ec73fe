/**
 * Whether everything runs, as in `npm run test:full` and `.ci/run`. `npm test` leaves out `test/capabilities` and files named
 * `.full.spec.ts`, and runs a part of tests with an arbitrary size, so that it takes a few minutes.
 */
export const inFull = process.env.TEST_FULL === 'yes';

export const itInFull: jest.It = inFull ? it : it.skip;

export const describeInFull: jest.Describe = inFull ? describe : describe.skip;

/** The cases of one mechanism: all of them in the full run, otherwise the first ones, which are the most different. */
export const some = <T>(first: number, cases: readonly T[]): readonly T[] => (inFull ? cases : cases.slice(0, first));

/** Resources of different kinds: one with a path of its own, parts within their owner, and the flat list of parts. */
const KINDS = [
  '/api/assets',
  '/api/devices/{/api/devices}/ports',
  '/api/devices/{deviceId}/ports',
  '/api/device-ports',
];

/** The rows for which a test of one mechanism is repeated: one of each kind, or all of them in the full run. */
export const ofEachKind = <R extends { path: string }>(rows: readonly R[]): readonly R[] =>
  inFull ? rows : rows.filter(({ path }) => KINDS.includes(path));
