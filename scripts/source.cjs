// Lets Node run the TypeScript sources without a build: for development tools that run on sources which have just changed.
// `node scripts/source.cjs src/cli/openapi.ts --check` runs an entry; other scripts require this file and then their modules.
const Module = require('node:module');
const { resolve } = require('node:path');
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformFileSync(filename, {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      target: 'es2023',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};

// './x.js' in the sources is the file './x.ts'.
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  const isSource = /^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts');
  return resolveFilename.call(this, isSource ? request.replace(/\.js$/, '.ts') : request, parent, ...rest);
};

if (require.main === module) {
  process.argv.splice(1, 2, resolve(process.argv[2]));
  require(process.argv[1]);
}
