import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../../http/errors.js';
import { FairQueue } from '../../http/fair-queue.js';

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane. Hashing runs on libuv's threads.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// libuv has four threads, which files and DNS also need. Further logins wait here.
const AT_ONCE = 2;

const queue = new FairQueue(AT_ONCE);
/** The key of hashes, which only the service itself and administrators ask for. */
const OWN = 'own';

/** Argon2id hash in PHC format, of the whole password. */
export const hashPassword = (password: string): Promise<string> => queue.run(OWN, () => hash(password, OPTIONS));

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the hashed one. Without a hash it is false after the same time, so an unknown email is not revealed.
 * @param caller the key by which callers take turns
 */
export async function verifyPassword(
  caller: string,
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  const against = passwordHash ?? (await (decoy ??= hashPassword('nobody has this password')));
  const same = await queue.run(caller, () => verify(against, password));
  return same && passwordHash !== undefined;
}

/** @throws DomainError validation if a new password equals the email address of its profile */
export function refuseEmail(field: string, password: string, email: string): void {
  if (password.trim().toLowerCase() === email.toLowerCase()) throw invalid(field, 'must not be the email address');
}
