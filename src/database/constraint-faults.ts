import type { Fault } from '../http/errors.js';

const faults = new Map<string, Fault>();

/** Placeholder in the message of a rule that a trigger enforces. The detail of the trigger's error replaces it. */
export const DETAIL = '{detail}';

/** Registers the error sentence for a constraint of the database. */
export function describeConstraint(constraint: string, fault: Fault): void {
  faults.set(constraint, fault);
}

/** The fault for a violated constraint or trigger rule, by constraint name. */
export const constraintFault = (constraint: string): Fault | undefined => faults.get(constraint);

/** The names of all constraints and trigger rules with a message. */
export const describedConstraints = (): string[] => [...faults.keys()];
