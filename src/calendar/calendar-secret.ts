import { randomBytes } from 'node:crypto';
import { base62, numberOf } from '../auth/credential/base62.js';

const LENGTH = 43;
const FORM = new RegExp(`^[0-9A-Za-z]{${LENGTH}}$`);

/** The secret in the address of a calendar: 256 random bits in base62. */
export const makeSecret = (): string => base62(numberOf(randomBytes(32)), LENGTH);

export const isWellFormed = (text: string): boolean => FORM.test(text);
