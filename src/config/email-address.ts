const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const TOP_LEVEL_DOMAIN = '(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])';

/** The intersection of what validators of `format: email` accept: unquoted ASCII, and a domain with a dot. */
export const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${DOMAIN_LABEL}\\.)+${TOP_LEVEL_DOMAIN}$`);
/** The local part has at most 64 characters (RFC 5321). */
export const LONG_LOCAL_PART = /^[^@]{65}/;

/** The end of a sentence about a text that is no email address. */
export const MUST_BE_EMAIL = 'must be an email address, such as ada@example.com';

export const isEmailAddress = (value: string): boolean => EMAIL.test(value) && !LONG_LOCAL_PART.test(value);
