// The longest files first, so that no processor ends with a long one on its own. jest knows how long files took in earlier runs
// and goes by their size otherwise; these are the ones that take longer than their size suggests.
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'contract/truth',
  'resources/scaffold',
  'hostile/fuzz',
  'contract/properties',
  'e2e/password-races',
  'resources/crud',
  'e2e/security',
  'browser/drawings',
  'e2e/demo',
  'e2e/long-answers',
  'e2e/throttle',
  'e2e/passwords',
  'e2e/token-access',
  'e2e/import-at-scale',
  'e2e/single-sign-on',
  'browser/docs',
  'e2e/secrets',
  'e2e/sessions',
  'resources/round-trip',
  'e2e/tutorial',
  'e2e/slow-clients',
  'e2e/commands',
  'e2e/built',
  'e2e/tokens',
];

const rank = ({ path }) => {
  const at = LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/test/${name}.spec.ts`));
  return at < 0 ? LONGEST.length : at;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's method, not that of arrays
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
