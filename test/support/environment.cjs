const { TestEnvironment } = require('jest-environment-node');

let worker;

/** The environment of all test files of a worker, because the modules that they share live in its context. */
module.exports = class WorkerEnvironment extends TestEnvironment {
  constructor(...options) {
    if (worker) return worker;
    super(...options);
    worker = this;
  }

  /** The next test file uses it too. */
  async teardown() {}
};
