import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/request-context.js';
import { sql } from '../../database/sql.js';
import { NotFound } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { ComputedLists } from '../../lists/computed-list.js';
import type { PageRequest } from '../../lists/parameters/paging.js';
import { ReadQueue } from '../../lists/read-queue.js';
import { neighboursOf, traceOf } from './trace-statement.js';
import type { Trace } from './trace.models.js';

/** How a cable looks. */
export interface CableLook {
  color: string | null;
  type: string | null;
  status: string;
}

interface Traced {
  trace: Trace;
  /** By the id of the cable. */
  look: Readonly<Record<string, CableLook>>;
}

/** What is connected with what. Every answer is read from the ends of the cables. */
@Injectable()
export class TraceService {
  constructor(
    @Inject(ReadQueue) private readonly reads: ReadQueue,
    @Inject(ComputedLists) private readonly lists: ComputedLists,
  ) {}

  /** @param deviceId that the port must be on, if it was named @throws NotFound */
  async trace({ db, caller }: RequestContext, portId: string, deviceId?: string): Promise<Traced> {
    return this.reads.run(caller, async () => {
      if (deviceId !== undefined) {
        const [port] = await db.query(sql`SELECT 1 FROM device_ports WHERE id = ${portId} AND device_id = ${deviceId}`);
        if (!port) throw new NotFound('Device port');
      }
      const [traced] = await db.query<Traced>(traceOf(sql`${portId}`));
      if (!traced) throw new NotFound('Device port');
      return traced;
    });
  }

  /** @throws NotFound, DomainError not_acceptable, unavailable */
  neighbours(ctx: RequestContext, deviceId: string, request: PageRequest): Promise<ListReply> {
    return this.lists.list(
      ctx,
      request,
      {
        name: 'neighbours',
        rows: neighboursOf(sql`${deviceId}`),
        columns: ['port', 'end', 'status', 'cables'].map((name) => ({
          name,
          sql: `t."${name}"`,
          isText: name === 'status',
        })),
        orderBy: 'natural_order(t.name) COLLATE "C", t.name COLLATE "C", t.port_kind COLLATE "C", t.id',
      },
      async () => {
        const [device] = await ctx.db.query(sql`SELECT 1 FROM devices WHERE id = ${deviceId}`);
        if (!device) throw new NotFound('Device');
      },
    );
  }
}
