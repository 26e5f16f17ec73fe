import { existsSync, readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** What V8 made of a bundle when it was built. */
export const codeOf = (file: string): string => `${file}.code`;

/**
 * How V8 enlarges the space for new objects while most of them are collected too late. At a start this is so because nearly all
 * objects stay. With the usual factor of 2 the space would grow to 32 MB, and keep them.
 */
const growth = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** Must be called when the service has started, because requests make objects that do not stay. */
export const endStart = (): void => growth(2);

/**
 * Loads a bundle as `require` would, but with the code that V8 compiled at the build. Code of another version of Node is not
 * used: V8 recognises it, and compiles the bundle again.
 */
export function loadBundle<T>(file: string): { exports: T; script: Script } {
  // Before anything is compiled, as code is used only with the options of V8 that it was compiled with.
  growth(1);
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
