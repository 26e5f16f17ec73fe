import type { Answer, Api } from './app.js';

/** A status that no other record of the tests has. */
const NOWHERE = 'nowhere else';

/** An approval of the current state of a record. @param at path of the record @returns its path */
export async function approvalOf(admin: Api, at: string): Promise<string> {
  return `${at}/approvals/${(await admin.make(`${at}/approvals`, await approving(admin, at))).id}`;
}

const isChangeSet = (at: string): boolean => at.startsWith('/api/change-sets/');

/** The body of an approval of a record. */
export async function approving(admin: Api, at: string): Promise<object> {
  const seen = isChangeSet(at) ? await admin.post(`${at}/preview`) : await admin.get(`${at}/transitions`);
  return { decision: 'approve', digest: seen.body.digest };
}

/** A transition that is not defined. @param at path of a record */
export async function refusedMove(admin: Api, at: string): Promise<Answer> {
  const resource = at.split('/')[2]!;
  const { id } = await admin.make('/api/transitions', { resource, to: NOWHERE });
  const answer = await admin.patch(at, { status: `not ${NOWHERE}` });
  await admin.delete(`/api/transitions/${id}`);
  return answer;
}

/** Withdraws an approval after its record has changed its status. @param at path of the record */
export async function lateWithdrawal(admin: Api, at: string): Promise<Answer> {
  const approval = await approvalOf(admin, at);
  if (isChangeSet(at)) await admin.post(`${at}/merge`);
  else await admin.patch(at, { status: at.includes('purchase-orders') ? 'cancelled' : NOWHERE });
  return admin.delete(approval);
}
