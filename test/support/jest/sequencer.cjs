// The longest files first, so that no processor ends with a long one on its own. jest knows how long files took in earlier runs
// and goes by their size otherwise; these are the ones that take longer than their size suggests.
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'resources/scaffold',
  'contract/truth',
  'hostile/fuzz',
  'contract/properties',
  'e2e/security',
  'e2e/long-answers',
  'e2e/throttle',
  'embedded/embedded-database',
  'e2e/demo',
  'resources/crud',
  'e2e/password-races',
  'e2e/single-sign-on',
  'e2e/secrets',
  'resources/round-trip',
  'browser/drawings',
  'browser/docs',
  'e2e/tutorial',
  'e2e/slow-clients',
  'e2e/import-at-scale',
  'e2e/passwords',
  'e2e/token-access',
  'e2e/totals',
  'e2e/bulk',
  'resources/bulk',
  'embedded/embedded-processes',
  'e2e/tokens',
  'e2e/prefixes',
  'e2e/sessions',
  'e2e/commands',
  'e2e/built',
  'e2e/on-call-properties',
  'contract/audit',
  'e2e/auth',
  'types/text',
  'contract/openapi-3.0',
  'contract/examples',
];

const rank = ({ path }) => {
  const at = LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/${name}.spec.ts`));
  return at < 0 ? LONGEST.length : at;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's method, not that of arrays
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
