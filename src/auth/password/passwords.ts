import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { invalid } from '../../http/errors.js';

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane. Hashing runs on libuv's threads.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// libuv has four threads, which file and DNS work needs too; a flood of logins waits here instead.
const AT_ONCE = 2;

const bounded = pLimit(AT_ONCE);

/** Argon2id hash in PHC format, of the whole password. */
export const hashPassword = (password: string): Promise<string> => bounded(() => hash(password, OPTIONS));

let decoy: Promise<string> | undefined;

/** Whether the password is the hashed one. Without a hash it takes as long and is false: an unknown email shows no difference. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const against = passwordHash ?? (await (decoy ??= hashPassword('nobody has this password')));
  const same = await bounded(() => verify(against, password));
  return same && passwordHash !== undefined;
}

/** @throws DomainError validation where a password that is being set is the email that it comes with */
export function refuseEmail(field: string, password: string, email: string): void {
  if (password.trim().toLowerCase() === email.toLowerCase()) throw invalid(field, 'must not be the email address');
}
