import { addBodyRule, CreateBody, UpdateBody } from '../fields/bodies/bodies.js';
import { Fault } from '../http/errors.js';
import { hasOwnMoves, movableFieldsOf, movableResources } from '../fields/movable.js';
import { Transition } from './transition.entity.js';

/** The only transition of purchase orders that can be restricted. */
const NARROWED = { from: 'draft', to: 'ordered' };
const OTHERS = 'other moves keep their own rules';

export class CreateTransition extends CreateBody(Transition) {}
export class UpdateTransition extends UpdateBody(Transition) {}

addBodyRule(CreateTransition, ({ resource, field = 'status', from = null, to, approvals = 0 }) => {
  if (typeof resource !== 'string' || typeof field !== 'string') return undefined;
  const record = movableResources().get(resource);
  if (!record) {
    return new Fault('resource', `must be a resource with a status: ${[...movableResources().keys()].join(', ')}`);
  }
  const fields = movableFieldsOf(record);
  if (!fields.includes(field)) return new Fault('field', `of ${resource} must be ${fields.join(' or ')}`);
  if (hasOwnMoves(record) && typeof to === 'string') {
    if (from !== NARROWED.from) return new Fault('from', `of ${resource} must be '${NARROWED.from}': ${OTHERS}`);
    if (to !== NARROWED.to) return new Fault('to', `of ${resource} must be '${NARROWED.to}': ${OTHERS}`);
  }
  return initialFault(from, approvals);
});

/** The fault in the approvals of a transition. */
export const initialFault = (from: unknown, approvals: unknown): Fault | undefined =>
  from === null && typeof approvals === 'number' && approvals > 0
    ? new Fault('approvals', 'must be 0 where from is null: a new record is approved by nobody')
    : undefined;
