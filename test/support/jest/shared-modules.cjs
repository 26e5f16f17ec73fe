// The modules that all test files of a process share: packages and the sources of the service, loaded once by Node itself, as in
// production. jest's own loader would evaluate them again for every file, and the engine would have to optimise them again.
const Module = require('node:module');
const { join, sep } = require('node:path');

/** Source maps of the shared sources, by file, as jest's runtime keeps those of the others. */
const sourceMaps = new Map();

const options = {
  isInternalModule: false,
  supportsDynamicImport: false,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};

let prepared = false;

/** Lets Node load TypeScript, compiled as jest is configured to. */
function prepare(transformer) {
  if (prepared) return;
  prepared = true;
  require.extensions['.ts'] = (module, filename) => {
    const { code, sourceMapPath } = transformer.transform(filename, options);
    if (sourceMapPath) sourceMaps.set(filename, sourceMapPath);
    module._compile(code, filename);
  };
  // './x.js' in the sources is the file './x.ts'.
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = function (request, parent, ...rest) {
    const isSource = /^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts');
    return resolveFilename.call(this, isSource ? request.replace(/\.js$/, '.ts') : request, parent, ...rest);
  };
  // If there are no workers, the global set-up has loaded sources and ES modules in this process, as jest compiles them.
  for (const filename of Object.keys(require.cache)) {
    if (!filename.endsWith('.cjs') && transformer.shouldTransform(filename)) delete require.cache[filename];
  }
}

// They compile the schemas of the document, and read the files of the migrated database, once for all test files.
const SHARED_HELPERS = ['copied-files.ts', 'document.ts', 'documented.ts'].map((name) => join('test', 'support', name));

/** Whether each test file has its own instance of a module: its own code, and the helpers of the tests. */
const isOwn = (rootDir, filename) =>
  filename.endsWith('.spec.ts') ||
  (filename.startsWith(join(rootDir, 'test') + sep) &&
    !SHARED_HELPERS.some((helper) => filename === join(rootDir, helper)));

module.exports = { isOwn, prepare, sourceMaps };
