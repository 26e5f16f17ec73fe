const { availableParallelism } = require('node:os');

const { dependencies, devDependencies } = require('./package.json');

// All packages that tests import, but for jest's own, which its environment needs before there is a service.
const packages = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !/jest|swc/.test(name));

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  // What takes minutes, starts many processes or tests more than the contract runs in `npm run test:full` only.
  testMatch: [
    '**/*.spec.ts',
    ...(process.env.TEST_FULL === 'yes' ? [] : ['!**/*.full.spec.ts', '!**/test/capabilities/**']),
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    // The tests, but for what is costly to make and holds nothing of one file.
    '/test/(?!support/(?:app|copied-files|database|kept-database|document|documented|plain-fetch)\\.)[^.]+(?:\\.\\w+)*\\.ts$|\\.spec\\.ts$':
      [
        '@swc/jest',
        {
          jsc: {
            parser: { syntax: 'typescript', decorators: true },
            transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
            target: 'es2023',
            keepClassNames: true,
          },
          module: { type: 'commonjs' },
        },
      ],
    '\\.[cm]?[jt]s$': '<rootDir>/test/support/native.cjs',
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${packages.join('|')})/)`, '^(?!.*/node_modules/).*\\.cjs$'],
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'module-sync'] },
  globalSetup: '<rootDir>/test/support/global-setup.cjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/assertions.ts'],
  // One file more than there are processors, because some files wait for timeouts.
  maxWorkers: availableParallelism() + 1,
  // Not everything is released when a file ends.
  workerIdleMemoryLimit: '800MB',
  // Against a test that hangs; a busy machine takes several times as long as an idle one.
  testTimeout: 120_000,
};
