import { Check } from 'typeorm';
import { describeConstraint } from '../../database/constraint-faults.js';
import { snakeCase } from '../../database/naming.js';
import { Fault, type FaultCode } from '../../http/errors.js';
import { addBodyRule } from './bodies.js';
import type { Class } from '../field.js';
import { toDate, toTimestamp } from '../types/time.js';

/** Sets the error message of a constraint in the database. */
export function defineRule(constraint: string, field: string, message: string, code?: FaultCode): void {
  describeConstraint(constraint, new Fault(field, message, code));
}

/**
 * A rule over several fields of a record. It is a CHECK constraint, so the statement that writes a PATCH also checks the
 * merged record.
 */
export function Rule(constraint: string, expression: string, field: string, message: string): ClassDecorator {
  defineRule(constraint, field, message);
  return (target) => Check(constraint, expression)(target);
}

/** The rule that the end of a time span is not before its start. */
export function Span(start: string, end: string): (target: Class) => void {
  return (target) => {
    const message = `must not be before ${start}`;
    const [startColumn, endColumn] = [snakeCase(start), snakeCase(end)];
    Rule(`ck_${snakeCase(target.name)}_${endColumn}`, `"${endColumn}" >= "${startColumn}"`, end, message)(target);
    // Reports the fault with the body's other faults, if the body has both ends.
    BodySpan(start, end)(target);
  };
}

/** The same rule for a request body. */
export function BodySpan(start: string, end: string): (target: Class) => void {
  return (target) =>
    addBodyRule(target, (body) => {
      const [from, to] = [instant(body[start]), instant(body[end])];
      return from !== undefined && to !== undefined && to < from
        ? new Fault(end, `must not be before ${start}`)
        : undefined;
    });
}

const instant = (value: unknown): string | undefined =>
  typeof value === 'string' ? (toTimestamp(value) ?? toDate(value)) : undefined;
