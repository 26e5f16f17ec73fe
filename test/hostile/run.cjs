// `npm run fuzz -- --requests 100000 --seed 1`: node 20 runs no TypeScript, so what the script requires is compiled on the
// way, by the compiler of the tests.
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformFileSync(filename, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};
require('../support/typescript-resolution.cjs');
const { main } = require('./main.ts');

main().then(
  (passed) => process.exit(passed ? 0 : 1),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
