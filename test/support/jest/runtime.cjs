// jest's loader of modules, except that packages and the sources of the service are shared between test files, and everything
// runs in the realm of the process. A file that replaces modules (`jest.mock`) has to ask for instances of its own with
// `@jest-environment node`.
const { createRequire, isBuiltin } = require('node:module');
const { compileFunction, constants } = require('node:vm');
const Runtime = require('jest-runtime').default;
const shared = require('./shared-modules.cjs');
const SharedEnvironment = require('./environment.cjs');

// Registers handlers of the file's tests while it is loaded.
const FRAMEWORK = /[\\/]jest-circus[\\/]build[\\/]jestAdapterInit\.js$/;

const needsOwnModules = (name) => () => {
  throw new Error(`${name} needs modules of the file's own: begin the file with /** @jest-environment node */`);
};

/** Source maps of the file's own modules and of the shared ones. */
class SourceMaps extends Map {
  get(filename) {
    return super.get(filename) ?? shared.sourceMaps.get(filename);
  }
}

module.exports = class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, ...rest) {
    super(config, environment, resolver, transformer, ...rest);
    this.shares = environment instanceof SharedEnvironment;
    if (!this.shares) return;
    shared.prepare(transformer);
    this.transformCache.sourceMaps = new SourceMaps();
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
    for (const name of ['setMock', 'setModuleMock', 'isolateModules', 'isolateModulesAsync', '_generateMock']) {
      this[name] = needsOwnModules('Replacing modules');
    }
  }

  requireModule(from, moduleName, options, ...rest) {
    if (!this.shares) return super.requireModule(from, moduleName, options, ...rest);
    if (options?.isInternalModule) {
      const filename = moduleName ? createRequire(from).resolve(moduleName) : from;
      return FRAMEWORK.test(filename) ? super.requireModule(filename, undefined, options) : require(filename);
    }
    if (moduleName && isBuiltin(moduleName)) return require(moduleName);
    // Packages as Node resolves them.
    if (moduleName && !/^[./]/.test(moduleName)) return createRequire(from)(moduleName);
    const filename = this._resolution.resolveCjs(from, moduleName);
    if (shared.isOwn(this._config.rootDir, filename)) return super.requireModule(from, moduleName, options, ...rest);
    return require(filename);
  }
};
