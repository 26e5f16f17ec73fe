import type { RequestContext } from '../../lists/request-context.js';
import { sql, type Sql } from '../../database/sql.js';
import { NotFound } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { fileFormatOf } from '../../lists/parameters/paging.js';
import type { ListRequest } from '../../lists/list-request.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { childrenOf } from '../address-space.js';
import { Prefix } from './prefix.entity.js';

@RecordService(Prefix)
export class PrefixesService extends ResourceService<Prefix> {
  /** The direct children of a prefix. @throws DomainError not_acceptable, NotFound */
  async children(ctx: RequestContext, id: string, request: ListRequest): Promise<ListReply> {
    // Like in every list, an unacceptable format is refused before the record is looked up.
    fileFormatOf(request, ctx.accept);
    if ((await ctx.db.query(sql`SELECT 1 FROM prefixes WHERE id = ${id}`)).length === 0) throw new NotFound('Prefix');
    const isChild = { sqlType: 'uuid', sql: (prefix: Sql) => sql`t.id IN (${childrenOf(prefix)})` };
    return this.list(ctx, {
      ...request,
      filters: [...request.filters, { field: isChild, operator: 'eq', values: [id] }],
    });
  }
}
