import { readBody } from '../../fields/bodies/bodies.js';
import type { DefinedFields } from '../../fields/custom/defined-fields.js';
import { addUnknown } from '../../fields/validation.js';
import type { Concrete } from '../../fields/field.js';
import { uuid } from '../../fields/types/uuid.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import { betweenTurns } from '../../http/event-loop.js';
import { isObject } from '../../http/json-body.js';

export const MAX_OPERATIONS = 1000;
export const OPS = ['create', 'update', 'delete'] as const;

export type BulkOperation = { index: number; ifMatch?: string } & (
  { op: 'create'; body: object } | { op: 'update'; id: string; body: object } | { op: 'delete'; id: string }
);

/** The bodies of a resource's single operations. */
export interface Bodies {
  create: Concrete;
  update: Concrete;
}

/** Maximum number of structural faults in a response. The rest of the body is not read. */
const MAX_FAULTS = 1000;

/**
 * Reads the body of a bulk request.
 * @throws ValidationFailed with all structural faults of all operations
 */
export async function readBulk(bodies: Bodies, body: unknown, fields: DefinedFields): Promise<BulkOperation[]> {
  if (!isObject(body)) throw new ValidationFailed([new Fault('body', 'must be a JSON object')]);
  const faults: Fault[] = [];
  addUnknownProperties(body, ['operations'], '', faults);
  const { operations: given } = body;
  if (given === undefined) faults.push(new Fault('operations', 'is required'));
  else if (!Array.isArray(given) || given.length < 1 || given.length > MAX_OPERATIONS) {
    faults.push(new Fault('operations', `must be an array of 1 to ${MAX_OPERATIONS} operations`));
  }
  const operations: BulkOperation[] = [];
  if (Array.isArray(given) && given.length <= MAX_OPERATIONS) {
    // A body may have a thousand parts, which take a tenth of a second.
    const turn = betweenTurns();
    for (const [index, entry] of given.entries()) {
      const operation = readOperation(bodies, entry, index, faults, fields);
      if (operation) operations.push(operation);
      if (faults.length >= MAX_FAULTS) break;
      await turn();
    }
  }
  if (faults.length > 0) throw new ValidationFailed([...faults, ...repeatedIds(operations)].slice(0, MAX_FAULTS));
  return operations;
}

/** An operation, as far as it can be read. */
function readOperation(
  { create, update }: Bodies,
  entry: unknown,
  index: number,
  faults: Fault[],
  fields: DefinedFields,
): BulkOperation | undefined {
  const path = `operations[${index}]`;
  if (!isObject(entry)) {
    faults.push(new Fault(path, 'must be an object'));
    return undefined;
  }
  addUnknownProperties(entry, ['op', 'id', 'ifMatch', 'data'], `${path}.`, faults);
  const { op, id, ifMatch, data } = entry;
  const refuse = (field: string, message: string): void => void faults.push(new Fault(`${path}.${field}`, message));
  const bodyOf = (dto: Concrete): object => {
    if (isObject(data)) return readBody(dto, data, `${path}.data.`, faults, fields);
    refuse('data', data === undefined ? 'is required' : 'must be a JSON object');
    return {};
  };
  if (op === 'create') {
    for (const [name, value] of Object.entries({ id, ifMatch })) {
      if (value !== undefined) refuse(name, 'must not be given to create a record');
    }
    return { op, index, body: bodyOf(create) };
  }
  if (op !== 'update' && op !== 'delete') {
    refuse('op', op === undefined ? 'is required' : `must be one of ${OPS.join(', ')}`);
    return undefined;
  }
  if (ifMatch !== undefined && typeof ifMatch !== 'string') refuse('ifMatch', 'must be a string');
  const condition = typeof ifMatch === 'string' ? { ifMatch } : {};
  const known = typeof id === 'string' ? uuid.parse(id) : undefined;
  if (known === undefined) refuse('id', id === undefined ? 'is required' : 'must be a uuid');
  if (op === 'delete') {
    if (data !== undefined) refuse('data', 'must not be given to delete a record');
    return known === undefined ? undefined : { op, index, id: known, ...condition };
  }
  const body = bodyOf(update);
  return known === undefined ? undefined : { op, index, id: known, body, ...condition };
}

function addUnknownProperties(object: object, known: readonly string[], path: string, faults: Fault[]): void {
  for (const name of Object.keys(object)) if (!known.includes(name)) addUnknown(name, known, path, faults);
}

/** A record may be in one operation only. The result of two would depend on their order. */
export function repeatedIds(operations: readonly BulkOperation[]): Fault[] {
  const first = new Map<string, number>();
  const faults: Fault[] = [];
  for (const operation of operations) {
    if (operation.op === 'create') continue;
    const { id, index } = operation;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else faults.push(new Fault(`operations[${index}].id`, `is the same record as operations[${earlier}].id`));
  }
  return faults;
}
