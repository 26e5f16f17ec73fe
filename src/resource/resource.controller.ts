import {
  applyDecorators,
  Body,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Req,
  type Type,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { AS_OF } from '../change-log/past-states.js';
import { changesList, RecordHistory } from '../change-log/record-history.js';
import { RELINK, restoreRecord } from '../change-log/record-restore.js';
import { BodyOf, NoBody } from '../fields/bodies/bodies.js';
import { readFresh } from '../fields/custom/defined-fields.js';
import type { Class } from '../fields/field.js';
import { movableFieldsOf } from '../fields/movable.js';
import { areaOf } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { invalid } from '../http/errors.js';
import { MIB } from '../http/json-body.js';
import { onceFor } from '../http/once.js';
import { pathId, PathId } from '../http/path-id.js';
import { type ActionReply, type ListReply, type PlainReply, RecordReply } from '../http/replies.js';
import { AddRouteConfig, TakesQuery } from '../http/route-config.js';
import type { SvgReply } from '../http/svg.js';
import { untilClosed } from '../http/until-closed.js';
import { expandParameter, listOf, QueryOf } from '../lists/list-query.js';
import type { ListRequest } from '../lists/list-request.js';
import { parsePage } from '../lists/parameters/paging.js';
import { DRY_RUN, type Options, readOptions, type Values } from '../lists/parameters/query-options.js';
import { type Parameter, type RawQuery, readQuery } from '../lists/parameters/query-parameters.js';
import { compile, type RecordSql } from '../lists/record-sql.js';
import { summaryOf, type SummaryRequest } from '../lists/summary/summary-query.js';
import { readingOf, writingOf } from '../records/record-access.js';
import type { Owner } from '../records/owner.js';
import { CHANGE_SET, plannedIn, Plans, readPlan } from './plans.js';
import { recordServedBy } from '../records/record-service.js';
import { type ResourceService, serviceOf } from '../records/resource.service.js';
import { readBulk } from './bulk/bulk-body.js';
import { Bulk } from './bulk/bulk.js';
import { takesKeys as keys } from './idempotency/idempotency.js';
import { FILE_LIMIT, FileBody, ROW_FILE_TYPES } from './import/file-body.js';
import { Import } from './import/import.js';
import { IMPORT_OPTIONS } from './import/import.options.js';
import { type DeclaredResource, RESOURCE, type ResourceDefinition } from './resource.definition.js';
import { operationsOf, TagOf } from './resource.operations.js';

const RESTORE_PARAMETERS = [RELINK];
const BULK_OPTIONS = { dryRun: DRY_RUN };
const BULK_LIMITS = { bodyLimit: 16 * MIB, bodyValues: 250_000 };

interface ReadRequest {
  asOf?: string;
  expand: readonly string[];
}

type PathParameters = Record<string, string>;

/** The provider of a resource's service. The class is also the injection token. */
function providedService(record: Class<StoredRecord>, service: Type | undefined): Type {
  const served = service && recordServedBy(service);
  if (!service || !served) return serviceOf(record, service);
  if (served !== record) throw new Error(`${service.name} serves ${served.name}, not ${record.name}`);
  return service;
}

/**
 * Base class of a resource's controller: list, create, read, PATCH and delete under the path of the controller. Do not override the
 * handlers, because that loses their routes. Rules belong to the service of the resource.
 */
export function ResourceController<T extends StoredRecord, S extends ResourceService<T> = ResourceService<T>>(
  definition: ResourceDefinition<T, S>,
) {
  const {
    record,
    create: createBody,
    update: updateBody,
    about,
    owner,
    takesKeys = true,
    createOptions,
    deleteOptions,
    otherFile,
    conflicts = false,
    flat = false,
  } = definition;
  // A transition can refuse a change that nothing else refuses.
  const conflictsOn = (operation: 'create' | 'update'): boolean =>
    movableFieldsOf(record).length > 0 || (typeof conflicts === 'boolean' ? conflicts : operation in conflicts);
  const bodies = { create: createBody, update: updateBody };
  // Bulk and import write records of every kind.
  const resourceOf = (service: ResourceService<T>) => ({ service, record, bodies, list });
  const restorable = (definition.restorable ?? true) && !owner && !flat;
  const read = definition.access?.read ?? readingOf(record);
  const write = definition.access?.write ?? writingOf(record);
  const Service = providedService(record, definition.service as Type | undefined);
  const document = operationsOf(record, definition);
  // Profiles have no area. Their own rule is in `access`.
  const hasFiles = areaOf(record) !== null;
  // Writes of the families' records can be recorded in a change set.
  const planned: Options = hasFiles ? { changeSet: CHANGE_SET } : {};
  const takesPlan = hasFiles ? { takesQuery: true } : {};
  const param = owner?.param ?? 'id';
  const path = owner ? `:${param}` : ':id';
  const list = listOf(record, definition.filters);
  const summary = summaryOf(list);
  // Made on first use, because the classes that a record refers to may be loaded after its controller.
  const readParametersOf = onceFor((resource: RecordSql): readonly Parameter<ReadRequest>[] => [
    AS_OF,
    ...(resource.expandable.length > 0 ? [expandParameter(resource)] : []),
  ]);
  const ownerOf = (ctx: RequestContext, parameters: PathParameters): Owner | undefined =>
    owner ? { record: owner.record, field: owner.field, id: pathId(parameters) } : definition.visible?.(ctx);

  @TagOf(owner?.record ?? record, about)
  abstract class Controller {
    static readonly [RESOURCE]: DeclaredResource = {
      record,
      service: Service,
      read,
      write,
      visible: definition.visible,
      view: definition.view,
      create: createBody,
      update: updateBody,
      owner,
      flat,
      conflicts: conflicts === true,
    };

    constructor(
      @Inject(Service) protected readonly service: S,
      @Inject(RecordHistory) private readonly history: RecordHistory,
      @Inject(Plans) private readonly plans: Plans,
    ) {}

    @Get()
    @Access(read)
    @TakesQuery()
    @document.list(list, owner && [owner.field])
    list(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @QueryOf(list) request: ListRequest,
    ): Promise<ListReply> {
      return this.service.list(ctx, request, ownerOf(ctx, at));
    }

    @Post()
    @Access(write)
    @AddRouteConfig({ takesQuery: createOptions !== undefined, ...takesPlan })
    @routeOf(takesKeys, () => [keys])
    @document.create(createBody, {
      created: definition.created,
      query: Object.values({ ...createOptions, ...planned }),
      conflicts: conflictsOn('create'),
    })
    create(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @Query() query: RawQuery,
      @BodyOf(createBody) body: object,
    ): Promise<RecordReply | PlainReply> {
      const { changeSet, options } = readPlan(createOptions, planned, query);
      if (changeSet) return this.plans.add(ctx, changeSet, [{ op: 'create', record, body, owner: ownerOf(ctx, at) }]);
      return this.service.create(ctx, body, ownerOf(ctx, at), options);
    }

    @Get(path)
    @Access(read)
    @TakesQuery()
    @document.get((installation) => readParametersOf(compile<StoredRecord>(record, installation.of(record))))
    async get(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<RecordReply> {
      const id = pathId(at, param);
      const { asOf, expand } = await readFresh(ctx, () => {
        return readQuery<ReadRequest>(query, readParametersOf(ctx.resource<StoredRecord>(record)), { expand: [] });
      });
      return asOf === undefined
        ? this.service.get(ctx, id, ownerOf(ctx, at), expand)
        : this.history.asOf(ctx, record, id, asOf, ownerOf(ctx, at), expand);
    }

    @Get(`${path}/changes`)
    @Access(read)
    @TakesQuery()
    @document.changes()
    changes(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @QueryOf(changesList) request: ListRequest,
    ): Promise<ListReply> {
      return this.history.list(ctx, record, pathId(at, param), request, ownerOf(ctx, at));
    }

    @Get(`${path}/references`)
    @Access(read)
    @TakesQuery()
    @document.references()
    references(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<ListReply> {
      return this.service.references(ctx, parsePage(query), pathId(at, param), ownerOf(ctx, at));
    }

    @Patch(path)
    @Access(write)
    @AddRouteConfig(takesPlan)
    @document.update(updateBody, conflictsOn('update'), definition.updateHeaders, Object.values(planned))
    update(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @PathId(param) id: string,
      @Query() query: RawQuery,
      @BodyOf(updateBody) body: object,
    ): Promise<RecordReply | PlainReply> {
      const { changeSet } = readPlan(undefined, planned, query);
      if (changeSet) {
        const one = { record, id, owner: ownerOf(ctx, at), versions: ctx.versions };
        return this.plans.add(ctx, changeSet, [{ ...one, op: 'update', body }]);
      }
      return this.service.update(ctx, id, body, ownerOf(ctx, at));
    }

    @Delete(path)
    @HttpCode(204)
    @Access(write)
    @AddRouteConfig({ takesQuery: deleteOptions !== undefined, ...takesPlan })
    @document.remove(Object.values({ ...deleteOptions, ...planned }), definition.deleteErrors, hasFiles)
    remove(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @Query() query: RawQuery,
    ): Promise<PlainReply | void> {
      const { changeSet, options } = readPlan(deleteOptions, planned, query);
      const id = pathId(at, param);
      if (changeSet) {
        const one = { record, id, owner: ownerOf(ctx, at), versions: ctx.versions };
        return this.plans.add(ctx, changeSet, [{ ...one, op: 'delete' }]);
      }
      return this.service.remove(ctx, id, ownerOf(ctx, at), options);
    }

    @routeOf(!owner, () => [Get('summary'), Access(read), TakesQuery(), document.summary(summary)])
    summary(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @QueryOf(summary) request: SummaryRequest,
    ): Promise<ListReply | SvgReply> {
      return this.service.summary(ctx, request, ownerOf(ctx, at));
    }

    @routeOf(hasFiles, () => [
      Post('bulk'),
      HttpCode(200),
      Access(write),
      AddRouteConfig({ takesQuery: true, ...BULK_LIMITS }),
      keys,
      document.bulk(bodies),
    ])
    async bulk(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @Query() query: RawQuery,
      @Body() body: unknown,
    ): Promise<ActionReply | PlainReply> {
      const { changeSet, options } = readPlan(BULK_OPTIONS, planned, query);
      const { dryRun } = options as Values<typeof BULK_OPTIONS>;
      const owned = ownerOf(ctx, at);
      const operations = await readFresh(ctx, () => readBulk(bodies, body, ctx.fields));
      if (changeSet) return this.plans.add(ctx, changeSet, plannedIn(operations, record, owned));
      return Bulk.run(resourceOf(this.service), ctx, operations, owned, dryRun);
    }

    @routeOf(hasFiles, () => [
      Post('import'),
      HttpCode(200),
      Access(write),
      AddRouteConfig({
        takesQuery: true,
        bodyLimit: FILE_LIMIT,
        takesFile: [...ROW_FILE_TYPES, ...(otherFile ? [otherFile.type] : [])],
      }),
      keys,
      document.import(createBody, otherFile),
    ])
    async import(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @Query() query: RawQuery,
      @Req() { body, raw: { socket } }: FastifyRequest,
    ): Promise<ActionReply | PlainReply> {
      if (body instanceof FileBody && body.type === otherFile?.type) {
        const options = readOptions(otherFile.options, query);
        return otherFile.import(this.service, ctx, body, options);
      }
      const options = readOptions(IMPORT_OPTIONS, query);
      const owned = ownerOf(ctx, at);
      if (!(body instanceof FileBody)) throw invalid('body', 'is required');
      const { changeSet } = options;
      if (changeSet !== undefined) {
        const planning = { ...options, changeSet };
        return untilClosed(socket, (signal) =>
          Import.plan(resourceOf(this.service), ctx, body, planning, owned, signal, this.plans),
        );
      }
      return untilClosed(socket, (signal) => Import.run(resourceOf(this.service), ctx, body, options, owned, signal));
    }

    @routeOf(restorable, () => [
      Post(`${path}/restore`),
      HttpCode(200),
      Access({ ...write, role: 'admin' }),
      TakesQuery(),
      keys,
      document.restore(),
    ])
    restore(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @Query() query: RawQuery,
      @NoBody _body: object,
    ): Promise<RecordReply> {
      const { relink } = readQuery(query, RESTORE_PARAMETERS, { relink: false });
      return restoreRecord(ctx, record, pathId(at, param), relink);
    }
  }
  return Controller;
}

/** The decorators of what only some resources have. */
const routeOf = (isThere: boolean, decorators: () => MethodDecorator[]): MethodDecorator =>
  isThere ? applyDecorators(...decorators()) : () => {};
