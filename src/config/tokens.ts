/** Injection tokens of what is no class. */
export const CONFIGURATION = Symbol('configuration');
