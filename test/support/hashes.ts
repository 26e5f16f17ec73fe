import argon2 from '@node-rs/argon2';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** About the milliseconds of a real hash, so that requests overlap in the same way. */
const DURATION = 20;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** In the form of real hashes, because the service stores one for unknown emails. */
const hashOf = (salt: string, password: string): string =>
  `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${base64(createHash('sha256').update(`${salt}${password}`).digest())}`;

/**
 * In this file, hashing and verifying take the usual time but no CPU. It is for files with hundreds of verifications.
 * @param onVerify is called with each verification, which waits for it
 */
export function hashesWithoutCost(onVerify: () => unknown): void {
  beforeAll(() => {
    jest.spyOn(argon2, 'hash').mockImplementation(async (password) => {
      await sleep(DURATION);
      return hashOf(base64(randomBytes(16)), String(password));
    });
    jest.spyOn(argon2, 'verify').mockImplementation(async (hash, password) => {
      await onVerify();
      await sleep(DURATION);
      return String(hash) === hashOf(String(hash).split('$').at(-2)!, String(password));
    });
  });
  afterAll(() => jest.restoreAllMocks());
}

/** In this block of tests, the usual hash function does less work. It is for tests that do not depend on the work. */
export function hashesOfLittleCost(): void {
  const { hash } = argon2;
  beforeAll(() => {
    jest
      .spyOn(argon2, 'hash')
      .mockImplementation((password, options, ...more) =>
        hash(password, { ...options, memoryCost: 1024, timeCost: 1 }, ...more),
      );
  });
  afterAll(() => jest.restoreAllMocks());
}
