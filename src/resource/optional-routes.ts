import { Body, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { Access, type AccessRule } from '../access/access.js';
import { Ctx } from '../access/request-context.js';
import { NO_PROPERTIES } from '../fields/bodies/bodies.js';
import type { Class } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';
import { MIB } from '../http/json-body.js';
import { AddRouteConfig, TakesQuery } from '../http/route-config.js';
import type { NarrowedQuery } from '../lists/narrowed-query.js';
import type { SummaryRequest } from '../lists/summary/summary-query.js';
import type { Bodies } from './bulk/bulk-body.js';
import { bulkModels } from './bulk.models.js';
import { takesKeys } from './idempotency/idempotency.interceptor.js';
import { ROW_FILE_TYPES } from './import/file-body.js';
import type { OtherFile } from './resource.definition.js';
import { document } from './resource.operations.js';
import { summaryModel } from './summary.models.js';

const BULK_BODY_LIMIT = 16 * MIB;
const BULK_BODY_VALUES = 250_000;
export const IMPORT_BODY_LIMIT = 64 * MIB;

interface OptionalRoutes {
  record: Class;
  read: AccessRule;
  write: AccessRule;
  /** Path of one record. */
  path: string;
  /** Whether it is part of another record. */
  isPart: boolean;
  /** Whether these are the parts of all owners. */
  flat: boolean;
  restorable: boolean;
  summary: NarrowedQuery<SummaryRequest>;
  bodies: Bodies;
  otherFile?: OtherFile<never>;
}

/** Makes routes of the methods `summary`, `restore`, `bulk` and `import`, where the resource has them. */
export function addOptionalRoutes(
  controller: { prototype: object },
  { record, read, write, path, isPart, flat, restorable, summary, bodies, otherFile }: OptionalRoutes,
): void {
  if (!isPart) {
    addRoute(
      controller,
      'summary',
      [
        Get('summary'),
        Access(read),
        TakesQuery(),
        document.summary({ record, flat, list: summary, response: summaryModel(record) as Class }),
      ],
      [Ctx(), Param(), Query(summary)],
    );
  }
  if (restorable) {
    addRoute(
      controller,
      'restore',
      [
        Post(`${path}/restore`),
        HttpCode(200),
        Access({ ...write, role: 'admin' }),
        TakesQuery(),
        takesKeys,
        document.restore({ record, flat }),
      ],
      [Ctx(), Param(), Query(), Body(NO_PROPERTIES)],
    );
  }
  // Profiles have no area. Their own rule is in `access`.
  if (areaOf(record) === null) return;
  addRoute(
    controller,
    'bulk',
    [
      Post('bulk'),
      HttpCode(200),
      Access(write),
      TakesQuery(),
      AddRouteConfig({ bodyLimit: BULK_BODY_LIMIT, bodyValues: BULK_BODY_VALUES }),
      takesKeys,
      document.bulk({ record, flat, models: bulkModels(record, bodies, flat) }),
    ],
    [Ctx(), Param(), Query(), Body()],
  );
  addRoute(
    controller,
    'import',
    [
      Post('import'),
      HttpCode(200),
      Access(write),
      TakesQuery(),
      AddRouteConfig({
        bodyLimit: IMPORT_BODY_LIMIT,
        takesFile: [...ROW_FILE_TYPES, ...(otherFile ? [otherFile.type] : [])],
      }),
      takesKeys,
      document.import({ record, flat, body: bodies.create, otherFile }),
    ],
    [Ctx(), Param(), Query(), Req()],
  );
}

function addRoute(
  { prototype }: { prototype: object },
  method: string,
  decorators: readonly MethodDecorator[],
  parameters: readonly ParameterDecorator[],
): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method)!;
  for (const decorate of decorators) decorate(prototype, method, descriptor);
  for (const [index, decorate] of parameters.entries()) decorate(prototype, method, index);
}
