import { existsSync, readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** What V8 made of a bundle when it was built. */
export const codeOf = (file: string): string => `${file}.code`;

/**
 * Loads a bundle as `require` would, but with the code that V8 compiled at the build. Code of another version of Node is not
 * used: V8 recognises it, and compiles the bundle again.
 */
export function loadBundle<T>(file: string): { exports: T; script: Script } {
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
