import { existsSync, readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** What V8 made of a bundle when it was built. */
export const codeOf = (file: string): string => `${file}.code`;

// Since version 12 V8 has a second one, Maglev. What that has compiled would not be optimized further when the first is back.
const hasOneOptimizer = Number.parseInt(process.versions.v8, 10) < 12;

/**
 * How V8 works during a start, which differs from requests in two ways:
 * - Nearly all objects stay. With the usual factor of 2 the space for new objects would grow to 32 MB, and keep them.
 * - Hardly any function runs often enough for the optimizing compiler to pay off. Its threads would need the processor and memory
 *   that the start itself needs.
 */
const STARTING = ['--semi-space-growth-factor=1', ...(hasOneOptimizer ? ['--no-opt'] : [])];
const SERVING = ['--semi-space-growth-factor=2', ...(hasOneOptimizer ? ['--opt'] : [])];

/** Must be called when the service has started. */
export const endStart = (): void => SERVING.forEach((flag) => setFlagsFromString(flag));

/**
 * Loads a bundle as `require` would, but with the code that V8 compiled at the build. Code of another version of Node is not
 * used: V8 recognises it, and compiles the bundle again.
 */
export function loadBundle<T>(file: string): { exports: T; script: Script } {
  // Before anything is compiled, as code is used only with the options of V8 that it was compiled with.
  STARTING.forEach((flag) => setFlagsFromString(flag));
  const cachedData = existsSync(codeOf(file)) ? readFileSync(codeOf(file)) : undefined;
  // The bundle is ASCII. A string made of one buffer stays outside the heap of V8, with one byte per character.
  const [head, tail] = wrap('|').split('|') as [string, string];
  const source = Buffer.concat([Buffer.from(head), readFileSync(file), Buffer.from(tail)]).toString('latin1');
  const script = new Script(source, { filename: file, cachedData });
  const module = { exports: {} as T };
  const run = script.runInThisContext() as (...values: unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return { exports: module.exports, script };
}
