/** Injection tokens for values that are not classes. */
export const CONFIGURATION = Symbol('configuration');
