// `npm run check -- fuzz --requests 100000 --seed 1`. Node 20 does not run TypeScript, so required modules are compiled on the fly.
require('../../scripts/source.cjs');
const { main } = require('./main.ts');

main().then(
  (passed) => process.exit(passed ? 0 : 1),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
