// The longest files first, so that no processor ends with a long one on its own. jest knows how long files took in earlier runs
// and goes by their size otherwise; these are the ones that take longer than their size suggests.
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'contract/truth',
  'resources/scaffold',
  'hostile/fuzz',
  'e2e/sessions',
  'e2e/passwords',
  'e2e/security',
  'e2e/demo',
  'e2e/secrets',
  'contract/properties',
  'browser/drawings',
  'e2e/commands',
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
