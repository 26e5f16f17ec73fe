// @swc/jest, except that copies of the tree (red-first, the test of the scaffold) share what is compiled: a compiled file depends on
// its source, its path within the project and the options, and not on where the project is.
const { basename, sep } = require('node:path');
const { createTransformer } = require('@swc/jest');

const PACKAGES = `${sep}node_modules${sep}`;

module.exports = {
  createTransformer(options) {
    const { canInstrument, getCacheKey } = createTransformer(options);
    return {
      canInstrument,
      getCacheKey(source, filename, { config, ...rest }) {
        const at = filename.lastIndexOf(PACKAGES);
        const rootDir = at < 0 ? config.rootDir : filename.slice(0, at);
        return getCacheKey(source, filename, { ...rest, config: { ...config, rootDir }, configString: '' });
      },
      // The source map names the source beside the compiled file, in whichever copy that is.
      process: (source, filename, rest) =>
        createTransformer({ ...options, sourceFileName: basename(filename) }).process(source, filename, rest),
      processAsync: (source, filename, rest) =>
        createTransformer({ ...options, sourceFileName: basename(filename) }).processAsync(source, filename, rest),
    };
  },
};
