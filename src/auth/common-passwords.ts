import { dictionary } from '@zxcvbn-ts/language-common';

let common: Set<string> | undefined;

/** Whether a password is on the list of those that people use and that are tried first. */
export function isCommonPassword(password: string): boolean {
  // Made when a password is first set: it is not needed to start.
  common ??= new Set(Object.values(dictionary).flat());
  return common.has(password.toLowerCase());
}
