const { availableParallelism } = require('node:os');

// Node 20 cannot require an ES module inside jest's module registry, so the ESM packages of Nest 12 are compiled too.
const esmPackages = [
  '@nestjs',
  '@sindresorhus',
  '@tokenizer',
  '@zxcvbn-ts',
  'cookie',
  'escape-string-regexp',
  'file-type',
  'jose',
  'oauth4webapi',
  'openid-client',
  'p-limit',
  'strtok3',
  'token-types',
  'modern-tar',
  'openapi-fetch',
  'helmet',
  'stream-chain',
  'stream-json',
  'uint8array-extras',
  'uuid',
  'yocto-queue',
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  runtime: '<rootDir>/test/support/runtime.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  // What takes minutes, or starts many processes, is named `.full.spec.ts`, and runs where CI runs everything.
  testMatch: ['**/*.spec.ts', ...(process.env.TEST_FULL === 'yes' ? [] : ['!**/*.full.spec.ts'])],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // It comes as one file too, in place of 250.
    '^rxjs(/operators)?$': '<rootDir>/node_modules/rxjs/dist/bundles/rxjs.umd.js',
  },
  transform: {
    '^.+\\.(ts|m?js)$': [
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
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/assertions.ts'],
  // One file more than there are processors, because some files wait for timeouts.
  maxWorkers: availableParallelism() + 1,
  // Not everything is released when a file ends.
  workerIdleMemoryLimit: '800MB',
  // Against a test that hangs; a busy machine takes several times as long as an idle one.
  testTimeout: 120_000,
};
