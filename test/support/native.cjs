/** Replaces a module of the service, or of a package, by the instance that Node has loaded: see environment.cjs. */
module.exports = { process: (_, path) => ({ code: `module.exports = native(${JSON.stringify(path)});` }) };
