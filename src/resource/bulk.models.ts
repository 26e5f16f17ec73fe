import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { onceFor } from '../http/once.js';
import { createExample, updateExample } from '../fields/bodies/body-example.js';
import type { Class } from '../fields/field.js';
import { labelOf } from '../fields/record-entity.js';
import { DescribedBody, descriptionOfBody } from '../openapi/body.js';
import { EXAMPLE_ID, named, type Model } from '../openapi/schema.js';
import { COUNT, model } from './document-model.js';
import { MAX_OPERATIONS, OPS, type Bodies } from './bulk/bulk-body.js';

/**
 * The body and the response of a resource's bulk operation, as the document shows them.
 * @param name of the resource in names of models
 */
export function bulkModels(
  record: Class,
  { create, update }: Bodies,
  name: string,
  plural: string,
): { body: Model; response: Model } {
  const label = labelOf(record);
  const operation = model(`${name}Operation`, {
    op: {
      ...named({ name: 'ChangeAction' }, { type: 'string', enum: OPS }),
      required: true,
    },
    id: {
      type: 'string',
      format: 'uuid',
      description: `The ${label} to change or delete. Not allowed for \`create\``,
      example: EXAMPLE_ID,
      required: false,
    },
    ifMatch: {
      type: 'string',
      description: 'Entity tag of the record; the request is refused with 412 if the record was written since',
      required: false,
    },
    // Several code generators cannot express a choice between two bodies. The update body has the properties of both.
    data: {
      type: () => update,
      description: `For \`create\`: the create body. For \`update\`: the PATCH body. Not allowed for \`delete\``,
      required: false,
    },
  });
  const body = model(`Bulk${plural}`, {
    operations: { type: () => operation, isArray: true, minItems: 1, maxItems: MAX_OPERATIONS, required: true },
  });
  ApiExtraModels(create, update)(body);
  const response = bulkResult(record);
  DescribedBody(() => ({
    settable: ['op', 'id', 'ifMatch', 'data'],
    ignored: [],
    parts: [],
    createExample: () => ({ op: 'create', data: createExample(create) }),
    updateExample: () => ({ op: 'update', id: EXAMPLE_ID, data: updateExample(update) }),
  }))(operation);
  DescribedBody((_, installation) => ({
    deprecated: new Map(
      [create, update].flatMap((one) => [...(descriptionOfBody(one, installation).deprecated ?? [])]),
    ),
    settable: ['operations'],
    ignored: [],
    parts: [operation],
    createExample: () => ({ operations: [{ op: 'create', data: createExample(create) }] }),
    updateExample: () => ({ operations: [{ op: 'update', id: EXAMPLE_ID, data: updateExample(update) }] }),
  }))(body);
  return { body, response };
}

const count = (name: string, description: string): object => ({
  ...named({ name, whole: true }, { ...COUNT, description }),
  required: true,
});

/** The response. That of a part is the same whether it is reached through its owner or not. */
const bulkResult = onceFor((record: Class): Model => {
  const label = labelOf(record);
  const result = model(`${record.name}OperationResult`, {
    op: { ...named({ name: 'ChangeAction' }, { type: 'string', enum: OPS }), required: true },
    id: { type: 'string', format: 'uuid', description: `Identifier of the ${label}`, required: true },
    status: {
      ...named(
        { name: 'BulkStatus', description: 'Result of an operation' },
        { type: 'string', enum: ['created', 'updated', 'unchanged', 'deleted'] },
      ),
      required: true,
    },
    record: {
      anyOf: [{ $ref: getSchemaPath(record) }, { type: 'null' }],
      description: `The ${label} after all operations; null if it was deleted`,
      required: true,
    },
  });
  const response = model(`${record.name}BulkResult`, {
    results: { type: () => result, isArray: true, description: 'In the order of the operations', required: true },
    created: count('BulkCreated', 'Number of records that were created'),
    updated: count('BulkUpdated', 'Number of records that were changed'),
    unchanged: count('BulkUnchanged', 'Number of records that already had the requested values'),
    deleted: count('BulkDeleted', 'Number of records that were deleted'),
  });
  return response;
});
