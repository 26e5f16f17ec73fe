const { TestEnvironment } = require('jest-environment-node');
const { ModernFakeTimers } = require('@jest/fake-timers');
require('../../scripts/source.cjs');

/** Globals that code of the service compares by class. */
const SHARED = { Date, Error, Map, Promise, RangeError, Reflect, RegExp, Set, SyntaxError, TypeError, process };

/**
 * Releases the functions of a file and their stacks, and thereby its services. Long-lived promises, such as those of imported modules,
 * keep the hook or test during which they were created, because jest-circus runs each in an AsyncLocalStorage.
 */
function forget({ hooks, children }) {
  for (const one of [...hooks, ...children]) {
    if (one.type === 'describeBlock') forget(one);
    else Object.assign(one, { fn: undefined, asyncError: undefined });
  }
}

/**
 * A test file has a context of its own, but Node loads the service and its packages once for each worker. Loading them for each file
 * took most of the time of a short one, and in a context of `vm` it takes half as long again. `native.cjs` connects both.
 */
module.exports = class ServiceEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, SHARED, { native: require });
    // `jest.useFakeTimers` must affect the timers of the service.
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') forget(rootDescribeBlock);
  }
};
