// The realm of the process itself, for modules that all test files of a process share. What a test file changes of it is put back
// when the file ends.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// What jest's framework keeps for one test file.
const FRAMEWORK = [
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
  'TEST_TIMEOUT_SYMBOL',
  'EVENT_HANDLERS',
].map((name) => Symbol.for(name));

module.exports = class SharedEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      console: globalThis.console,
      env: { ...process.env },
      cwd: process.cwd(),
      exit: process.exit,
      getBuiltinModule: process.getBuiltinModule,
      stackTraceLimit: Error.stackTraceLimit,
      prepareStackTrace: Error.prepareStackTrace,
    };
  }

  async setup() {}

  async teardown() {
    const { console, env, cwd, exit, getBuiltinModule, stackTraceLimit } = this.before;
    this.fakeTimersModern?.dispose();
    this.fakeTimersModern = null;
    globalThis.console = console;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    if (process.cwd() !== cwd) process.chdir(cwd);
    process.exit = exit;
    if (getBuiltinModule) process.getBuiltinModule = getBuiltinModule;
    Error.stackTraceLimit = stackTraceLimit;
    const states = Object.getOwnPropertySymbols(globalThis).filter(
      ({ description }) => description === 'JEST_STATE_SYMBOL',
    );
    for (const name of [...FRAMEWORK, ...states]) delete globalThis[name];
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
