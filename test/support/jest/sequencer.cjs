// The longest files first, so that no processor ends with a long one on its own. jest knows how long files took in earlier runs
// and goes by their size otherwise; these are the ones that take longer than their size suggests.
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'contract/truth',
  'browser/drawings',
  'e2e/long-answers',
  'browser/docs',
  'e2e/security',
  'e2e/throttle',
  'contract/properties',
  'e2e/demo',
  'embedded/embedded-processes',
  'e2e/single-sign-on',
  'hostile/fuzz',
  'e2e/secrets',
  'resources/crud',
  'e2e/import-at-scale',
  'e2e/prefixes',
  'e2e/token-access',
  'e2e/tutorial',
  'embedded/embedded-database',
  'e2e/slow-clients',
  'e2e/tokens',
  'e2e/passwords',
  'e2e/mass-assignment',
  'resources/round-trip',
  'e2e/sessions',
  'e2e/password-races',
  'e2e/totals',
  'e2e/bulk',
  'e2e/import',
  'browser/single-sign-on',
  'e2e/built',
  'e2e/allocation',
  'e2e/made-up-sessions',
  'e2e/impact',
  'e2e/export',
  'e2e/shared-statements',
  'e2e/on-call-properties',
  'resources/bulk',
  'contract/examples',
  'browser/on-call-timeline',
  'resources/scaffold',
  'e2e/create-many',
  'contract/audit',
  'e2e/commands',
  'e2e/auth',
  'types/text',
  'contract/openapi-3.0',
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
