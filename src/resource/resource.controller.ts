import { Body, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access, type AccessRule } from '../access/access.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { AS_OF, changesQuery, RecordHistory, RELINK } from '../change-log/record-history.js';
import { routePath } from '../http/api-path.js';
import { Ctx, type RequestContext } from '../access/request-context.js';
import { PathId, pathId } from '../http/path-id.js';
import { type ActionReply, RecordReply, type ListReply } from '../http/replies.js';
import { invalid } from '../http/errors.js';
import { FileBody, ROW_FILE_TYPES, type FileType } from '../files/file-body.js';
import { MIB } from '../http/json-body.js';
import { AddRouteConfig } from '../http/route-config.js';
import { TakesQuery } from '../http/takes-query.js';
import type { OperationText } from '../openapi/operation.js';
import { BodyOf, NO_PROPERTIES } from '../bodies/body.pipe.js';
import type { Class, Concrete } from '../fields/field.js';
import { expandParameter, ListQuery, type ExtraFilter } from '../lists/list-query.js';
import { parsePage } from '../parameters/paging.js';
import { applyQuery, byName, type Parameter, type RawQuery } from '../parameters/query-parameters.js';
import { areaOf } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { readingOf, writingOf } from '../records/record-access.js';
import type { RecordStores } from '../records/record-store.js';
import { namingAllDangling } from '../references/references.js';
import { resourceOf } from '../projection/resource.js';
import { recordServedBy, serviceOf, type Owner, type ResourceService } from '../records/resource.service.js';
import { readBulk } from '../bulk/bulk-body.js';
import { Bulk } from '../bulk/bulk.js';
import { bulkModels } from './bulk.models.js';
import { Import } from '../import/import.js';
import { IMPORT_OPTIONS } from '../import/import.options.js';
import { DRY_RUN, readOptions, type Options } from '../parameters/query-options.js';
import { document, TagOf } from './resource.operations.js';

/** The record that another is a part of, the field that refers to it, and the path parameter with the id of the part. */
interface PartOf<F extends string = string> {
  record: Class;
  field: F;
  param: string;
}

const BULK_BODY_LIMIT = 16 * MIB;
const IMPORT_BODY_LIMIT = 64 * MIB;

/** A file that does not consist of rows: its parameters, its response, and how it is imported. */
export interface OtherFile<S> {
  type: FileType;
  options: Options;
  /** Its text in the document. */
  text: string;
  example: string;
  response: Class;
  import(service: S, ctx: RequestContext, file: FileBody, options: Record<string, unknown>): Promise<ActionReply>;
}

export interface ResourceDefinition<T extends StoredRecord, S extends ResourceService<T>> {
  record: Class<T>;
  create: Concrete;
  update: Concrete;
  /** The response of creating, if it is more than the record. */
  created?: Class;
  /** The description of its tag. A part has the tag of its owner. */
  about?: string;
  /** The service, if the resource has rules of its own: a `@RecordService`, or a base class that services of several records share. */
  service?: new (stores: RecordStores, ...others: never[]) => S;
  /** List filters that are more than a comparison with a column. */
  filters?: readonly ExtraFilter[];
  /** The record that this one is a part of. Its id is the `id` of the path. */
  owner?: PartOf<keyof T & string>;
  /** The owner whose parts are all that the caller sees; undefined if the caller sees all records. */
  visible?: (ctx: RequestContext) => Owner | undefined;
  /** Access for reading and writing, if it does not follow from the record's area. */
  access?: { read: AccessRule; write: AccessRule };
  /** Another kind of file that its import accepts. */
  otherFile?: OtherFile<S>;
  /** Query parameters of creating, whose values the service receives. */
  createOptions?: Options;
  /** False if creating accepts no `Idempotency-Key`, because the body has a secret. */
  takesKeys?: boolean;
  /** False if a deleted record cannot be restored. Parts are restored with their owner. */
  restorable?: boolean;
  /** Whether creating and changing can be refused with 409, for example because a value must be unique; or which of them can. */
  conflicts?: boolean | { create: true } | { update: true };
  /** Further statuses of a refused delete. */
  deleteErrors?: readonly number[];
  /** What Swagger UI says about single operations, in addition to the pattern. */
  text?: { [operation in 'list' | 'create' | 'get' | 'update' | 'delete']?: OperationText };
}

interface ReadRequest {
  asOf?: string;
  expand: readonly string[];
}

type PathParameters = Record<string, string>;

const RESOURCE = Symbol('resource');

export interface ControlledResource {
  record: Class<StoredRecord>;
  /** The service to provide the controller with. */
  service: Type;
  /** Who may read it. */
  read: AccessRule;
  /** The owner of the records that a caller may see, if not all of them. */
  visible?: (ctx: RequestContext) => Owner | undefined;
  /** The body that creates a record. */
  create: Concrete;
  /** The record that this one is a part of. */
  owner?: PartOf;
  conflicts: boolean;
}

/** What a resource's controller was declared with; undefined for a controller of another kind. */
export const controlledBy = (controller: object): ControlledResource | undefined =>
  (controller as { [RESOURCE]?: ControlledResource })[RESOURCE];

/** Makes a method a route that only some resources have. */
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

/** The provider of a resource's service: its class, which is also the injection token. */
function providedService(record: Class<StoredRecord>, service: Type | undefined): Type {
  const served = service && recordServedBy(service);
  if (!service || !served) return serviceOf(record, service);
  if (served !== record) throw new Error(`${service.name} serves ${served.name}, not ${record.name}`);
  return service;
}

/**
 * Base class of a resource's controller: list, create, read, PATCH and delete under the path of the controller. Do not
 * override the handlers, which would lose their routes: give the resource a service with its rules.
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
    otherFile,
    conflicts = false,
    text = {},
  } = definition;
  const conflictsOn = (operation: 'create' | 'update'): boolean =>
    typeof conflicts === 'boolean' ? conflicts : operation in conflicts;
  const bodies = { create: createBody, update: updateBody };
  const restorable = (definition.restorable ?? true) && !owner;
  const read = definition.access?.read ?? readingOf(record);
  const write = definition.access?.write ?? writingOf(record);
  const Service = providedService(record, definition.service as Type | undefined);
  const param = owner?.param ?? 'id';
  const path = owner ? `:${param}` : ':id';
  // Made on first use, because the classes that a record refers to may be loaded after its controller.
  let listQuery: ListQuery | undefined;
  const list = (): ListQuery => (listQuery ??= new ListQuery(resourceOf(record) as never, definition.filters));
  let parametersOfReads: readonly Parameter<ReadRequest>[] | undefined;
  const readParameters = (): readonly Parameter<ReadRequest>[] => {
    const resource = resourceOf(record);
    return (parametersOfReads ??= [
      AS_OF,
      ...(resource.expandable.length > 0 ? [expandParameter(resource as never)] : []),
    ]);
  };
  const ownerOf = (ctx: RequestContext, parameters: PathParameters): Owner | undefined =>
    owner ? { record: owner.record, field: owner.field, id: pathId(parameters) } : definition.visible?.(ctx);

  @TagOf(owner?.record ?? record, about)
  abstract class Controller {
    static readonly [RESOURCE]: ControlledResource = {
      record,
      service: Service,
      read,
      visible: definition.visible,
      create: createBody,
      owner,
      conflicts: conflicts === true,
    };

    constructor(
      @Inject(Service) protected readonly service: S,
      @Inject(RecordHistory) private readonly history: RecordHistory,
    ) {}

    @Get()
    @Access(read)
    @TakesQuery()
    @document.list({ record, text: text.list, list, fixed: owner && [owner.field] })
    list(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<ListReply> {
      return this.service.list(ctx, list().parse(query), ownerOf(ctx, at));
    }

    @Post()
    @Access(write)
    @AddRouteConfig({ takesKeys, takesQuery: createOptions !== undefined })
    @document.create({
      record,
      text: text.create,
      body: createBody,
      created: definition.created,
      query: Object.values(createOptions ?? {}),
      idempotent: takesKeys,
      conflicts: conflictsOn('create'),
    })
    async create(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @Query() query: RawQuery,
      @Body(BodyOf(createBody)) body: object,
      @Req() request: FastifyRequest,
    ): Promise<RecordReply> {
      const options = createOptions && readOptions(createOptions, query);
      const create = (): Promise<RecordReply> => this.service.create(ctx, body, ownerOf(ctx, at), options);
      const reply = await namingAllDangling(ctx.db, createBody, body, create);
      return reply.at(`${routePath(request)}/${reply.id}`);
    }

    @Get(path)
    @Access(read)
    @TakesQuery()
    @document.get({ record, text: text.get, query: readParameters })
    get(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<RecordReply> {
      const id = pathId(at, param);
      const request: ReadRequest = { expand: [] };
      applyQuery(query, byName(readParameters()), request);
      const { asOf, expand } = request;
      return asOf === undefined
        ? this.service.get(ctx, id, ownerOf(ctx, at), expand)
        : this.history.asOf(ctx, record, id, asOf, ownerOf(ctx, at), expand);
    }

    @Get(`${path}/changes`)
    @Access(read)
    @TakesQuery()
    @document.changes({ record, response: ChangeLogEntry, list: changesQuery })
    changes(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<ListReply> {
      return this.history.list(ctx, record, pathId(at, param), query, ownerOf(ctx, at));
    }

    @Get(`${path}/references`)
    @Access(read)
    @TakesQuery()
    @document.references({ record })
    references(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<ListReply> {
      return this.service.references(ctx, parsePage(query), pathId(at, param), ownerOf(ctx, at));
    }

    @Patch(path)
    @Access(write)
    @document.update({ record, text: text.update, body: updateBody, conflicts: conflictsOn('update') })
    update(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @PathId(param) id: string,
      @Body(BodyOf(updateBody)) body: object,
    ): Promise<RecordReply> {
      return namingAllDangling(ctx.db, updateBody, body, () => this.service.update(ctx, id, body, ownerOf(ctx, at)));
    }

    @Delete(path)
    @HttpCode(204)
    @Access(write)
    @document.remove({ record, text: text.delete, errors: definition.deleteErrors })
    remove(@Ctx() ctx: RequestContext, @Param() at: PathParameters): Promise<void> {
      return this.service.remove(ctx, pathId(at, param), ownerOf(ctx, at));
    }

    async bulk(ctx: RequestContext, at: PathParameters, query: RawQuery, body: unknown): Promise<ActionReply> {
      const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
      const owned = ownerOf(ctx, at);
      const operations = await readBulk(bodies, body);
      return Bulk.run({ service: this.service as never, record, bodies }, ctx, operations, owned, dryRun);
    }

    async import(
      ctx: RequestContext,
      at: PathParameters,
      query: RawQuery,
      { body, raw: { socket } }: FastifyRequest,
    ): Promise<ActionReply> {
      if (body instanceof FileBody && body.type === otherFile?.type) {
        return otherFile.import(this.service, ctx, body, readOptions(otherFile.options, query));
      }
      const options = readOptions(IMPORT_OPTIONS, query);
      const owned = ownerOf(ctx, at);
      if (!(body instanceof FileBody)) throw invalid('body', 'is required');
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      socket.once('close', leave);
      try {
        return await Import.run(
          { service: this.service as never, record, bodies },
          ctx,
          body,
          options,
          owned,
          gone.signal,
        );
      } finally {
        socket.off('close', leave);
      }
    }

    restore(ctx: RequestContext, at: PathParameters, query: RawQuery): Promise<RecordReply> {
      const request = { relink: false };
      applyQuery(query, byName([RELINK]), request);
      return this.history.restore(ctx, record, pathId(at, param), request.relink);
    }
  }
  if (restorable) {
    addRoute(
      Controller,
      'restore',
      [
        Post(`${path}/restore`),
        HttpCode(200),
        Access({ ...write, role: 'admin' }),
        TakesQuery(),
        document.restore({ record }),
      ],
      [Ctx(), Param(), Query(), Body(NO_PROPERTIES)],
    );
  }
  // Profiles have no area. Their own rule is in `access`.
  if (areaOf(record) !== null) {
    addRoute(
      Controller,
      'bulk',
      [
        Post('bulk'),
        HttpCode(200),
        Access(write),
        TakesQuery(),
        AddRouteConfig({ bodyLimit: BULK_BODY_LIMIT }),
        document.bulk({ record, models: bulkModels(record, bodies) }),
      ],
      [Ctx(), Param(), Query(), Body()],
    );
    addRoute(
      Controller,
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
        document.import({ record, body: createBody, otherFile }),
      ],
      [Ctx(), Param(), Query(), Req()],
    );
  }
  return Controller;
}
