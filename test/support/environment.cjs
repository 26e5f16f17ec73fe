const { TestEnvironment } = require('jest-environment-node');
const { ModernFakeTimers } = require('@jest/fake-timers');
require('../../scripts/source.cjs');

/** Those that code of the service compares by their class. */
const SHARED = { Date, Error, Map, Promise, RangeError, Reflect, RegExp, Set, SyntaxError, TypeError, process };

/**
 * Lets go of the functions of a file and their stacks, and with them of its services. Promises that stay, such as those of imported
 * modules, hold the hook or the test during which they were made, because jest-circus runs each in an AsyncLocalStorage.
 */
function forget({ hooks, children }) {
  for (const one of [...hooks, ...children]) {
    if (one.type === 'describeBlock') forget(one);
    else Object.assign(one, { fn: undefined, asyncError: undefined });
  }
}

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

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') forget(rootDescribeBlock);
  }
};
