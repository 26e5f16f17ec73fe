import { ApiProperty } from '@nestjs/swagger';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { uuid } from '../fields/types/uuid.js';
import { Fault, ValidationFailed } from '../http/errors.js';
import { type PlainReply, versionsIn } from '../http/replies.js';
import { type Options, type QueryOption, readOptions } from '../lists/parameters/query-options.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import type { Planned } from '../openapi/operation.js';
import { EXAMPLE_ID } from '../openapi/schema.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import type { Owner } from '../records/owner.js';
import type { BulkOperation } from './bulk/bulk-body.js';

/** A write that is recorded in a change set instead of being carried out. */
export type PlannedWrite = {
  record: Class<StoredRecord>;
  owner?: Owner;
  /** Its position in the request, such as `operations[3]`; undefined if it is the whole request. */
  path?: string;
} & (
  | { op: 'create'; body: object; /** Id of the new record; a random one if absent. */ id?: string }
  | {
      op: 'update';
      id: string;
      body: object;
      versions?: readonly string[];
      /** JSON text of the record. Unchanged values are left out. */
      before?: string;
    }
  | { op: 'delete'; id: string; versions?: readonly string[] }
);

/** Maximum number of operations of a change set. */
export const MOST_OPERATIONS = 10_000;

/** @throws ValidationFailed */
export function refuseMoreThanMost(count: number): void {
  if (count <= MOST_OPERATIONS) return;
  const message = `must have at most ${MOST_OPERATIONS.toLocaleString('en')} operations`;
  throw new ValidationFailed([new Fault('changeSet', message)]);
}

/** Records the writes of requests. The module of change sets implements it. */
export abstract class Plans {
  /**
   * Adds writes to an open change set, as its operations.
   * @throws NotFound, ValidationFailed, Conflict, DomainError precondition_failed
   */
  abstract add(ctx: RequestContext, changeSet: string, writes: readonly PlannedWrite[]): Promise<PlainReply>;

  /** As `add`. @returns the ids of the operations that hold the writes */
  abstract store(ctx: InTransaction, changeSet: string, writes: readonly PlannedWrite[]): Promise<string[]>;

  /**
   * Runs work on the estate as an open change set would leave it, and rolls everything back. Conflicting operations are left out.
   * @throws NotFound, Conflict
   */
  abstract foresee<T>(ctx: InTransaction, changeSet: string, work: (tx: InTransaction) => Promise<T>): Promise<T>;
}

/** The response to a request that is recorded in a change set. */
export class PlannedOperations {
  @ApiProperty({
    description: 'Operations of the change set that hold the request',
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    example: [EXAMPLE_ID],
  })
  operations!: string[];
  @ApiProperty({
    description: 'With `mode=reconcile` of an import, the number of records without a key, which are left alone',
    type: 'integer',
    format: 'int32',
    minimum: 0,
    required: false,
    example: 0,
  })
  withoutKey?: number;
}

export const CHANGE_SET: QueryOption<string | undefined> = {
  name: 'changeSet',
  description:
    'Change set that the request is written down in. It is not carried out: the response is 202 and has the ids of the operations. `If-Match` is compared at once',
  schema: { type: 'string', format: 'uuid' },
  many: false,
  fallback: undefined,
  apply(values, [raw]) {
    const id = uuid.parse(raw!);
    if (id === undefined) return `must be ${uuid.expects}`;
    values.changeSet = id;
    return undefined;
  },
};

/** The documentation of the parameter. */
export const PLANNED: Planned = { response: PlannedOperations, parameter: CHANGE_SET };

/**
 * The options of a request that can be recorded in a change set.
 * @param own further options of the operation
 * @throws ValidationFailed
 */
export function readPlan(
  own: Options | undefined,
  planned: Options,
  query: RawQuery,
): { changeSet?: string; options: Record<string, unknown> } {
  const { changeSet, ...options } = readOptions({ ...own, ...planned }, query) as Record<string, unknown>;
  if (typeof changeSet !== 'string') return { options };
  const faults = Object.keys(query)
    .filter((name) => own && name in own && options[name] !== own[name]!.fallback)
    .map((name) => new Fault(name, 'must not be given with changeSet'));
  if (faults.length > 0) throw new ValidationFailed(faults);
  return { changeSet, options };
}

/** The operations of a bulk request as writes. */
export const plannedIn = (
  operations: readonly BulkOperation[],
  record: Class<StoredRecord>,
  owner: Owner | undefined,
): PlannedWrite[] =>
  operations.map((operation) => {
    const { index, ifMatch, ...write } = operation;
    const versions = ifMatch === undefined ? undefined : versionsIn(ifMatch);
    return { ...write, record, owner, versions, path: `operations[${index}]` };
  });
