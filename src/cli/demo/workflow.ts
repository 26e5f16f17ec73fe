import type { Estate } from './estate.js';

interface Move {
  from: string | null;
  to: string;
  role?: string;
  approvals?: number;
}

const of = (from: string | null, ...to: string[]): Move[] => to.map((one) => ({ from, to: one }));

/** The process for change requests: another person approves, and managers decide. */
const CHANGE_REQUESTS: readonly Move[] = [
  ...of(null, 'draft'),
  ...of('draft', 'submitted', 'cancelled'),
  ...of('submitted', 'draft', 'cancelled'),
  { from: 'submitted', to: 'approved', role: 'manager', approvals: 1 },
  { from: 'submitted', to: 'rejected', role: 'manager' },
  ...of('rejected', 'draft'),
  ...of('approved', 'scheduled', 'cancelled'),
  ...of('scheduled', 'in_progress', 'cancelled'),
  ...of('in_progress', 'review', 'failed'),
  ...of('review', 'completed', 'failed'),
];

/** Created after the records of the estate, because these are created in every state. */
export async function makeWorkflow(estate: Estate): Promise<void> {
  for (const move of CHANGE_REQUESTS) await estate.make('transitions', { resource: 'change-requests', ...move });
}
