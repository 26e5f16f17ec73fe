// jest compiles the modules of its global set-up, but does not resolve them: './x.js' in our sources is the file './x.ts'.
const Module = require('node:module');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (/^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts')) {
    return resolve.call(this, request.replace(/\.js$/, '.ts'), parent, ...rest);
  }
  return resolve.call(this, request, parent, ...rest);
};
