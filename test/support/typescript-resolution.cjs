// jest compiles what its global set-up loads, but does not resolve it: './x.js' in our sources is the file './x.ts'.
const Module = require('node:module');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (/^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts')) {
    return resolve.call(this, request.replace(/\.js$/, '.ts'), parent, ...rest);
  }
  return resolve.call(this, request, parent, ...rest);
};
