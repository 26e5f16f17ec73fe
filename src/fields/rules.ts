import { Check } from 'typeorm';
import { describeConstraint } from '../database/constraint-faults.js';
import { snakeCase } from '../database/naming.js';
import { Fault } from '../http/errors.js';
import { addBodyRule } from './bodies.js';
import type { Class } from './field.js';
import { toDate, toTimestamp } from './field-types.js';

/** Gives a constraint that the database holds the sentence of its refusal. */
export function defineRule(constraint: string, field: string, message: string): void {
  describeConstraint(constraint, new Fault(field, message));
}

/**
 * A rule over several fields of a record, held by a CHECK constraint, so that a PATCH is judged on the merged record
 * in the very statement that writes it.
 */
export function Rule(constraint: string, expression: string, field: string, message: string): ClassDecorator {
  defineRule(constraint, field, message);
  return (target) => Check(constraint, expression)(target);
}

/** The end of a span must not be before its start. */
export function Span(start: string, end: string): ClassDecorator {
  return (target) => {
    const message = `must not be before ${start}`;
    const [startColumn, endColumn] = [snakeCase(start), snakeCase(end)];
    Rule(`ck_${snakeCase(target.name)}_${endColumn}`, `"${endColumn}" >= "${startColumn}"`, end, message)(target);
    // A body that holds both ends is refused together with its other faults.
    addBodyRule(target as unknown as Class, (body) => {
      const [from, to] = [instant(body[start]), instant(body[end])];
      return from !== undefined && to !== undefined && to < from ? new Fault(end, message) : undefined;
    });
  };
}

const instant = (value: unknown): string | undefined =>
  typeof value === 'string' ? (toTimestamp(value) ?? toDate(value)) : undefined;
