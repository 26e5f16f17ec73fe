/* Reverting all writes of one request: all of them, or nothing. */

import { onceKey, reloadAll, send } from './api.js';
import type { Answer } from './types.js';

/** @throws Refused, with what stands in the way */
export async function undoRequest(requestId: string): Promise<Answer> {
  const answer = await send('POST', '/api/change-log/undo', { body: { requestId }, headers: onceKey() });
  reloadAll();
  return answer;
}

/** Reverts the action of a response; undefined if the response does not name its request. */
export const undoOf = ({ requestId }: Pick<Answer, 'requestId'>): (() => Promise<void>) | undefined =>
  requestId === undefined ? undefined : async () => void (await undoRequest(requestId));
