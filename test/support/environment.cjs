const { TestEnvironment } = require('jest-environment-node');
const { ModernFakeTimers } = require('@jest/fake-timers');
require('../../scripts/source.cjs');

/** Those that code of the service compares by their class. */
const SHARED = { Date, Error, Map, Promise, RangeError, Reflect, RegExp, Set, SyntaxError, TypeError, process };

/**
 * A test file has a context of its own, whereas the service and its packages are loaded by Node, once for each worker: to load them for
 * each file took most of the time of a short one, and in a context of `vm` they take half as long again. `native.cjs` connects both.
 */
module.exports = class ServiceEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, SHARED, { native: require });
    // `jest.useFakeTimers` is for the timers of the service.
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }
};
