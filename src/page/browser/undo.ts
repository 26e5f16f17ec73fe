/* Taking back what one request has written, whatever the number of its records: all of it, or nothing. */

import { onceKey, reloadAll, send } from './api.js';
import type { Answer } from './types.js';

/** @throws Refused, with what stands in the way */
export async function undoRequest(requestId: string): Promise<Answer> {
  const answer = await send('POST', '/api/change-log/undo', { body: { requestId }, headers: onceKey() });
  reloadAll();
  return answer;
}

/** Takes back what an answer says was done; undefined if the answer does not tell its request. */
export const undoOf = ({ requestId }: Pick<Answer, 'requestId'>): (() => Promise<void>) | undefined =>
  requestId === undefined ? undefined : async () => void (await undoRequest(requestId));
