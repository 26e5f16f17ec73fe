let common: Set<string> | undefined;

const load = (): typeof import('@zxcvbn-ts/language-common') => require('@zxcvbn-ts/language-common');

/** Whether a password is on the list of those that people use and that are tried first. */
export function isCommonPassword(password: string): boolean {
  // Loaded when a password is first set: it is not needed to start.
  common ??= new Set(Object.values(load().dictionary).flat());
  return common.has(password.toLowerCase());
}
