import { Inject, Injectable } from '@nestjs/common';
import { raw, sql } from '../../database/sql.js';
import { instantText } from '../../fields/types/time.js';
import { NotFound } from '../../http/errors.js';
import { HTML_TYPE } from '../../http/html.js';
import { BodyReply, type ListReply, PlainReply } from '../../http/replies.js';
import { ComputedLists } from '../../lists/computed-list.js';
import type { PageRequest } from '../../lists/parameters/paging.js';
import type { RequestContext } from '../../lists/request-context.js';
import { countsOf, entriesOf, wholeOf } from './stocktake-result.js';
import type { ResultList } from './stocktake.models.js';
import { printedResult, type PrintedStocktake } from './stocktake-page.js';

/** Entries of each list that a printed page has. */
const MOST_PRINTED = 10_000;

/** The requested form of a result. */
export interface ResultRequest extends PageRequest {
  list?: ResultList;
  asPage?: true;
}

/** Serves the result of a stocktake: in numbers, as a list, or as a page to print. */
@Injectable()
export class StocktakeResultsService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @throws NotFound, DomainError not_acceptable */
  async read(ctx: RequestContext, id: string, request: ResultRequest): Promise<BodyReply | ListReply | PlainReply> {
    const { list, asPage } = request;
    const { db } = ctx;
    const [stocktake] = await db.query<PrintedStocktake>(
      sql`SELECT t.name, t.status, s.name AS site, l.name AS location, c.name AS category,
          ${raw(instantText('t.created_at'))} AS begun, ${raw(instantText('t.closed_at'))} AS closed, t.closed_by AS "closedBy"
        FROM stocktakes t LEFT JOIN sites s ON s.id = t.site_id LEFT JOIN locations l ON l.id = t.location_id
          LEFT JOIN asset_categories c ON c.id = t.category_id WHERE t.id = ${id}`,
    );
    if (!stocktake) throw new NotFound('Stocktake');
    if (list !== undefined) return this.lists.list(ctx, request, entriesOf(id, list));
    if (!asPage) return PlainReply.of({ counts: await countsOf(db, id) });
    const { counts, lists } = await wholeOf(db, id, MOST_PRINTED);
    return new BodyReply(HTML_TYPE, printedResult(stocktake, counts, lists));
  }
}
