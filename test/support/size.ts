/**
 * Whether everything runs: `npm run test:full`, and `.ci/run`. `npm test` leaves out files named `.full.spec.ts`, and of tests whose size
 * is arbitrary it runs a part, so that it takes a few minutes.
 */
export const inFull = process.env.TEST_FULL === 'yes';

export const itInFull: jest.It = inFull ? it : it.skip;

export const describeInFull: jest.Describe = inFull ? describe : describe.skip;

/** The cases of one mechanism: in full all of them, otherwise the first ones, which differ most. */
export const some = <T>(first: number, cases: readonly T[]): readonly T[] => (inFull ? cases : cases.slice(0, first));

/** Resources of different kind: one with a path of its own, parts within their owner, and the parts of all owners. */
const KINDS = [
  '/api/assets',
  '/api/devices/{/api/devices}/ports',
  '/api/devices/{deviceId}/ports',
  '/api/device-ports',
];

/** The rows for which is repeated what one mechanism does: those of different kind, or in full all of them. */
export const ofEachKind = <R extends { path: string }>(rows: readonly R[]): readonly R[] =>
  inFull ? rows : rows.filter(({ path }) => KINDS.includes(path));
