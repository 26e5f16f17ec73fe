import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../lists/request-context.js';
import { sql } from '../../database/sql.js';
import { NotFound } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { ComputedLists, type ComputedColumn } from '../../lists/computed-list.js';
import type { PageRequest } from '../../lists/parameters/paging.js';
import { neighboursOf, traceOf } from './trace-statement.js';
import type { Trace } from './trace.models.js';
import { Order } from '../../lists/order.js';

/** Appearance of a cable. */
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

/** A column whose value is the entry of a port, or null. In a CSV its members are columns. */
const portColumn = (name: string): ComputedColumn => ({
  name,
  sql: `t."${name}"`,
  isText: false,
  members: ['id', 'name', 'kind', 'device.id', 'device.name'].map((member) => ({
    name: `${name}.${member}`,
    sql: `(t."${name}" #>> '{${member.replace('.', ',')}}')`,
    isText: member.endsWith('name'),
  })),
});

/** Traces of ports. Every response is computed from the ends of the cables. */
@Injectable()
export class TraceService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @param deviceId that the port must be on, if it was named @throws NotFound */
  async trace({ db }: RequestContext, portId: string, deviceId?: string): Promise<Traced> {
    if (deviceId !== undefined) {
      const [port] = await db.query(sql`SELECT 1 FROM device_ports WHERE id = ${portId} AND device_id = ${deviceId}`);
      if (!port) throw new NotFound('Device port');
    }
    const [traced] = await db.query<Traced>(traceOf(sql`${portId}`));
    if (!traced) throw new NotFound('Device port');
    return traced;
  }

  /** @throws NotFound, DomainError not_acceptable, unavailable */
  neighbours(ctx: RequestContext, deviceId: string, request: PageRequest): Promise<ListReply> {
    return this.lists.list(
      ctx,
      request,
      {
        name: 'neighbours',
        rows: neighboursOf(sql`${deviceId}`),
        columns: [
          portColumn('port'),
          portColumn('end'),
          { name: 'status', sql: 't.status', isText: true },
          { name: 'cables', sql: 't.cables', isText: false },
        ],
        order: new Order([
          'natural_order(t.name) COLLATE "C"',
          't.name COLLATE "C"',
          't.port_kind COLLATE "C"',
          't.id',
        ]),
      },
      async () => {
        const [device] = await ctx.db.query(sql`SELECT 1 FROM devices WHERE id = ${deviceId}`);
        if (!device) throw new NotFound('Device');
      },
    );
  }
}
