import { Body, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access, type AccessRule } from '../access/access.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { AS_OF, changesQuery, parseAsOf, RecordHistory } from '../change-log/record-history.js';
import { routePath } from '../http/api-path.js';
import { Ctx, type RequestContext } from '../access/request-context.js';
import { pathId } from '../http/path-id.js';
import { RecordReply, type ListReply } from '../http/replies.js';
import { AddRouteConfig } from '../http/route-config.js';
import { TakesQuery } from '../http/takes-query.js';
import type { OperationText } from '../openapi/operation.js';
import { parseBody } from '../fields/bodies.js';
import type { Class, Concrete } from '../fields/field.js';
import { Kernel } from '../records/kernel.js';
import { ListQuery, type ExtraFilter, type RawQuery } from '../records/list-query.js';
import type { StoredRecord } from '../fields/record.js';
import { readingOf, writingOf } from '../records/record-access.js';
import { resourceOf, type Resource } from '../records/resource.js';
import { ResourceService, type Owner } from '../records/resource.service.js';
import { document, TagOf } from './resource.operations.js';

export interface ResourceDefinition<T extends StoredRecord, S extends ResourceService<T>> {
  record: Class<T>;
  create: Concrete;
  update: Concrete;
  /** What is said of its tag. A record that is a part of another has the tag of that one. */
  about?: string;
  /** Rules of its own, where the resource has any. */
  service?: new (resource: Resource<T>, kernel: Kernel) => S;
  /** List filters that are more than a comparison with a column. */
  filters?: readonly ExtraFilter[];
  /** The record that this one is a part of: its id is the `id` of the path, this one's the parameter `param`. */
  owner?: { record: Class; field: keyof T & string; param: string };
  /** Access of reading and writing where it is not that of the record's area. */
  access?: { read: AccessRule; write: AccessRule };
  /** False: creating takes no Idempotency-Key, as the body holds a secret. */
  takesKeys?: boolean;
  /** False: a deleted record cannot be made again. Parts are restored with the record that they are parts of. */
  restorable?: boolean;
  /** Some value of it is unique, so that creating and changing can find it taken. */
  conflicts?: boolean;
  /** Refusals of deleting beyond the pattern. */
  deleteErrors?: readonly number[];
  /** What Swagger UI says about single operations beyond the pattern. */
  text?: { [operation in 'list' | 'create' | 'get' | 'update' | 'delete']?: OperationText };
}

type PathParameters = Record<string, string>;

const RECORD = Symbol('record');

/** The record of a resource's controller; undefined for a controller of another kind. */
export const recordOf = (controller: object): Class<StoredRecord> | undefined =>
  (controller as { [RECORD]?: Class<StoredRecord> })[RECORD];

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
    conflicts = false,
    text = {},
  } = definition;
  const restorable = (definition.restorable ?? true) && !owner;
  const read = definition.access?.read ?? readingOf(record);
  const write = definition.access?.write ?? writingOf(record);
  const Service = (definition.service ?? ResourceService) as new (resource: Resource<T>, kernel: Kernel) => S;
  const param = owner?.param ?? 'id';
  const path = owner ? `:${param}` : ':id';
  // Made on first use: the classes that a record refers to may not be loaded when its controller is.
  let listQuery: ListQuery | undefined;
  const list = (): ListQuery => (listQuery ??= new ListQuery(resourceOf(record) as never, definition.filters));
  const ownerOf = (parameters: PathParameters): Owner | undefined =>
    owner && { record: owner.record, field: owner.field, id: pathId(parameters) };

  @TagOf(owner?.record ?? record, about)
  abstract class Controller {
    static readonly [RECORD] = record;

    protected readonly service: S;
    private readonly history: RecordHistory<T>;

    constructor(@Inject(Kernel) kernel: Kernel) {
      this.service = new Service(resourceOf(record), kernel);
      this.history = new RecordHistory(resourceOf(record), kernel);
    }

    @Get()
    @Access(read)
    @TakesQuery()
    @document.list({ record, text: text.list, list, fixed: owner && [owner.field] })
    list(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<ListReply> {
      return this.service.list(ctx, list().parse(query), ownerOf(at));
    }

    @Post()
    @Access(write)
    @AddRouteConfig({ takesKeys })
    @document.create({
      record,
      text: text.create,
      body: createBody,
      idempotent: takesKeys,
      conflicts,
    })
    async create(
      @Ctx() ctx: RequestContext,
      @Param() at: PathParameters,
      @Body() body: unknown,
      @Req() request: FastifyRequest,
    ): Promise<RecordReply> {
      const reply = await this.service.create(ctx, parseBody(createBody, body), ownerOf(at));
      return reply.at(`${routePath(request)}/${reply.id}`);
    }

    @Get(path)
    @Access(read)
    @TakesQuery()
    @document.get({ record, text: text.get, query: [AS_OF] })
    get(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<RecordReply> {
      const id = pathId(at, param);
      const asOf = parseAsOf(query);
      return asOf === undefined
        ? this.service.get(ctx, id, ownerOf(at))
        : this.history.asOf(ctx, id, asOf, ownerOf(at));
    }

    @Get(`${path}/changes`)
    @Access(read)
    @TakesQuery()
    @document.changes({ record, response: ChangeLogEntry, list: changesQuery })
    changes(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Query() query: RawQuery): Promise<ListReply> {
      return this.history.list(ctx, pathId(at, param), query, ownerOf(at));
    }

    @Patch(path)
    @Access(write)
    @document.update({ record, text: text.update, body: updateBody, conflicts })
    update(@Ctx() ctx: RequestContext, @Param() at: PathParameters, @Body() body: unknown): Promise<RecordReply> {
      return this.service.update(ctx, pathId(at, param), parseBody(updateBody, body), ownerOf(at));
    }

    @Delete(path)
    @HttpCode(204)
    @Access(write)
    @document.remove({ record, text: text.delete, errors: definition.deleteErrors })
    remove(@Ctx() ctx: RequestContext, @Param() at: PathParameters): Promise<void> {
      return this.service.remove(ctx, pathId(at, param), ownerOf(at));
    }

    restore(ctx: RequestContext, at: PathParameters): Promise<RecordReply> {
      return this.history.restore(ctx, pathId(at, param));
    }
  }
  if (restorable) {
    const restore = Object.getOwnPropertyDescriptor(Controller.prototype, 'restore')!;
    for (const decorate of [
      Post(`${path}/restore`),
      HttpCode(200),
      Access({ ...write, role: 'admin' }),
      document.restore({ record }),
    ]) {
      decorate(Controller.prototype, 'restore', restore);
    }
    Ctx()(Controller.prototype, 'restore', 0);
    Param()(Controller.prototype, 'restore', 1);
  }
  return Controller;
}
