let common: Set<string> | undefined;

const load = (): typeof import('@zxcvbn-ts/language-common') => require('@zxcvbn-ts/language-common');

/** Whether a password is on the list of common passwords. */
export function isCommonPassword(password: string): boolean {
  // Loaded when the first password is set, because the start does not need it.
  common ??= new Set(Object.values(load().dictionary).flat());
  return common.has(password.toLowerCase());
}
