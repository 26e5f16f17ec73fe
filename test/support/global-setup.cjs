const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

const duration =
  process.env.TEST_FULL === 'yes'
    ? 'All tests take about half an hour on two processors.'
    : 'The tests of the contract take about three minutes on two processors. `npm run test:full` runs all tests.';

/** Creates the database that the test files copy. It runs in a separate process, because jest would compile its modules. */
module.exports = ({ nonFlagArgs, shard, testNamePattern }, { cacheDirectory }) => {
  if (nonFlagArgs.length === 0 && !shard && !testNamePattern) console.log(duration);
  const args = [join(__dirname, '../../scripts/source.cjs'), join(__dirname, 'template.ts'), 'create', cacheDirectory];
  Object.assign(process.env, JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })));
};
