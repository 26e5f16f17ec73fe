import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../lists/request-context.js';
import type { Executor } from '../../../database/executor.js';
import { NotFound } from '../../../http/errors.js';
import { PlainReply } from '../../../http/replies.js';
import { serviceOf, type ResourceService } from '../../../records/resource.service.js';
import { tooFew } from '../../available.js';
import { Vlan } from '../vlan.entity.js';
import { MAX_VID, MIN_VID } from '../../vlan-group/vlan-group.entity.js';
import type { AllocatedVlan } from './available-vlans.dto.js';
import { raw, sql, type Sql } from '../../../database/sql.js';

/** The free vids of VLAN groups, and their allocation. */
@Injectable()
export class AvailableVlansService {
  constructor(@Inject(serviceOf(Vlan)) private readonly vlans: ResourceService<Vlan>) {}

  /** The lowest free vids of a group. @throws NotFound */
  async list({ db }: RequestContext, groupId: string, size: number): Promise<{ vid: number }[]> {
    if ((await db.query(sql`SELECT 1 FROM vlan_groups WHERE id = ${groupId}`)).length === 0) {
      throw new NotFound('VLAN group');
    }
    return (await free(db, groupId, size)).map((vid) => ({ vid }));
  }

  /** Creates VLANs with the lowest free vids, in the order of the request. @throws NotFound, Conflict */
  allocate(ctx: RequestContext, groupId: string, entries: readonly AllocatedVlan[]): Promise<PlainReply> {
    return ctx.transaction(async (tx) => {
      // Other allocations wait for this lock. So does the trigger that checks the vid of every VLAN of the group.
      const lock = sql`SELECT 1 FROM vlan_groups WHERE id = ${groupId} FOR NO KEY UPDATE`;
      if ((await tx.db.query(lock)).length === 0) throw new NotFound('VLAN group');
      const vids = await free(tx.db, groupId, entries.length);
      if (vids.length < entries.length) throw tooFew('vlans', 'VLAN', 'VLANs', entries.length, vids.length);
      const bodies = entries.map(({ name }, index) => ({ name, vid: vids[index]!, vlanGroupId: groupId }));
      return this.vlans.createAll(tx, bodies);
    });
  }
}

async function free(db: Executor, groupId: string, count: number): Promise<number[]> {
  return (await db.query<{ vid: number }>(freeVids(groupId, count))).map(({ vid }) => vid);
}

const freeVids = (groupId: string, count: number): Sql => sql`SELECT vid FROM vlan_groups g,
    generate_series(coalesce(g.min_vid, ${raw(MIN_VID)}), coalesce(g.max_vid, ${raw(MAX_VID)})) vid
  WHERE g.id = ${groupId} AND NOT EXISTS (SELECT FROM vlans v WHERE v.vlan_group_id = g.id AND v.vid = vid.vid)
  ORDER BY vid LIMIT ${count}`;
