import { dictionary } from '@zxcvbn-ts/language-common';

// Shorter words come twice in many a good password.
const SHORTEST_REPEATED = 4;

let common: Set<string> | undefined;

/** Whether a password is on the list of those that people use and that are tried first, or one of them over and over. */
export function isCommonPassword(password: string): boolean {
  // Made when a password is first set: it is not needed to start.
  common ??= new Set(Object.values(dictionary).flat());
  const given = password.toLowerCase();
  if (common.has(given)) return true;
  for (let length = SHORTEST_REPEATED; length <= given.length / 2; length++) {
    const word = given.slice(0, length);
    if (common.has(word) && given === word.repeat(given.length / length)) return true;
  }
  return false;
}
