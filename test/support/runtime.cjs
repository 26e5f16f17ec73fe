const { dirname, resolve, sep } = require('node:path');
const { default: JestRuntime } = require('jest-runtime');
const WorkerEnvironment = require('./environment.cjs');

const ROOT = resolve(__dirname, '../..') + sep;
const TESTS = resolve(__dirname, '..') + sep;

/** Modules of the tests that are costly to make, and hold nothing of one test file. */
const COSTLY = new Set(['copied-files', 'document', 'documented'].map((name) => resolve(__dirname, name)));

/** The registry of the modules that all test files of a worker share. */
let shared;

/** Whether a module belongs to the service or to a package, or is a costly one of the tests. */
function isShared(from, name) {
  if (name.startsWith('node:')) return false;
  const isFile = name.startsWith('.') || name.startsWith(sep);
  if (!isFile) return true;
  const path = resolve(dirname(from), name);
  return path.startsWith(ROOT) && (!path.startsWith(TESTS) || COSTLY.has(path.replace(/\.[jt]s$/, '')));
}

/**
 * The modules of one test file. Those of the service and its packages are loaded once for each worker, because to load them for each
 * file took most of the time of a short one. A test file that replaces modules (`jest.mock`) or declares entities, which TypeORM keeps in
 * a registry, has its own copy of all of them: its first comment is `@jest-environment node`.
 */
module.exports = class Runtime extends JestRuntime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    this.shares = environment instanceof WorkerEnvironment;
    if (this.shares) shared ??= new JestRuntime(config, environment, ...rest);
  }

  requireModuleOrMock(from, name) {
    return this.shares && isShared(from, name)
      ? shared.requireModuleOrMock(from, name)
      : super.requireModuleOrMock(from, name);
  }
};
