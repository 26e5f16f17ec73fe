import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from './app.js';

/** Sends requests while all database connections are taken, so that they run at the same moment however fast the service is. */
export async function atOnce<T>({ database }: TestService, send: () => Promise<T>): Promise<T> {
  const { pool, size } = database.db;
  const taken = await Promise.all(Array.from({ length: size }, () => pool.connect()));
  const answers = send();
  await sleep(300);
  for (const client of taken) client.release();
  return answers;
}
