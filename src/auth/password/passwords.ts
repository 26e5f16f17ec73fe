import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { invalid } from '../../http/errors.js';

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane. Hashing runs on libuv's threads.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// libuv has four threads, which files and DNS also need. Further logins wait here.
const AT_ONCE = 2;

const bounded = pLimit(AT_ONCE);

/** Argon2id hash in PHC format, of the whole password. */
export const hashPassword = (password: string): Promise<string> => bounded(() => hash(password, OPTIONS));

let decoy: Promise<string> | undefined;

/** Whether the password is the hashed one. Without a hash it is false after the same time, so an unknown email is not revealed. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const against = passwordHash ?? (await (decoy ??= hashPassword('nobody has this password')));
  const same = await bounded(() => verify(against, password));
  return same && passwordHash !== undefined;
}

/** @throws DomainError validation if a new password equals the email address of its profile */
export function refuseEmail(field: string, password: string, email: string): void {
  if (password.trim().toLowerCase() === email.toLowerCase()) throw invalid(field, 'must not be the email address');
}
