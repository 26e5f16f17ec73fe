import type { Fault } from '../http/errors.js';

const faults = new Map<string, Fault>();

/** Gives a constraint that the database holds the sentence of its refusal. */
export function describeConstraint(constraint: string, fault: Fault): void {
  faults.set(constraint, fault);
}

/** The fault that a violated constraint or trigger rule means, by the name of the constraint. */
export const constraintFault = (constraint: string): Fault | undefined => faults.get(constraint);
