import type { Sql } from '../../database/sql.js';
import { Controller, Get, Inject, Param, type Type } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import type { Class } from '../../fields/field.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import type { StoredRecord } from '../../fields/record.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { resourceNameOf, tableOf } from '../../lists/record-sql.js';
import { Operation } from '../../openapi/operation.js';
import type { Owner } from '../../records/owner.js';
import { readingOf } from '../../records/record-access.js';
import { type ResourceService, serviceOf } from '../../records/resource.service.js';
import { TagOf } from '../../resource/resource.operations.js';
import type { IpAddress } from './ip-address.entity.js';
import { within } from './within.filter.js';

interface OwnedAddresses {
  owner: Class<StoredRecord>;
  /** An address as the list shows it. */
  record: Class<IpAddress>;
  /** Description of the list in the document. */
  text: string;
  /** Fields that are the same for all addresses of an owner. */
  fixed: readonly string[];
  /** SQL condition on `t`, if no column of an address refers to the owner. @param id SQL of the owner's id */
  condition?: (id: Sql) => Sql;
}

/** The controller of the addresses of devices or of virtual machines: `/api/devices/{id}/ips`. */
export function ipsController({ owner, record, text, fixed, condition }: OwnedAddresses): Type {
  const words = labelOf(owner);
  const list = listOf(record, [within]);

  @Controller(`api/${resourceNameOf(tableOf(owner))}/:id/ips`)
  @TagOf(owner)
  class IpsController {
    constructor(@Inject(serviceOf(record)) private readonly service: ResourceService<IpAddress>) {}

    @Get()
    @Access(readingOf(owner))
    @TakesQuery()
    @Operation({
      operationId: `list${owner.name}Ips`,
      text: { summary: `List the IP addresses of ${withArticle(owner)}`, description: text },
      list,
      fixed,
      response: record,
      status: 200,
      finds: words,
    })
    list(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @QueryOf(list) request: ListRequest,
    ): Promise<ListReply> {
      const owned: Owner = { record: owner, field: fixed[0] ?? 'id', id: pathId(at), condition };
      return this.service.list(ctx, request, owned);
    }
  }
  Object.defineProperty(IpsController, 'name', { value: `${owner.name}IpsController` });
  return IpsController;
}
