import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../access/request-context.js';
import type { Executor } from '../../database/database.js';
import { PlainReply } from '../../http/replies.js';
import { RecordService, ResourceService, type Columns, type JsonRow } from '../../records/resource.service.js';
import {
  laneOf,
  MOST_TOGETHER,
  requestsOf,
  SharedStatements,
  type SharedWrite,
} from '../../records/shared-statements.js';
import { usableHosts } from '../address-space.js';
import { familyOf } from './family.js';
import { IpAddress } from './ip-address.entity.js';

/** The addresses that a request wants from a prefix. */
interface Claim extends SharedWrite {
  db: Executor;
  prefixId: string;
  rows: readonly NewAddress[];
}

type NewAddress = Columns & { id: string };

@RecordService(IpAddress)
export class IpAddressesService extends ResourceService<IpAddress> {
  /** The family follows the address. With a port, the device is the port's, whatever the body says: the database sets it. */
  protected override columns(body: Partial<IpAddress>, ctx: RequestContext): Columns {
    const columns = super.columns(body, ctx);
    if (body.address !== undefined) columns.family = familyOf(body.address);
    if (body.interfaceId) delete columns.device_id;
    return columns;
  }

  /** A VRF can enforce unique addresses. */
  override async dependsOnOthers(db: Executor, body: object): Promise<boolean> {
    return 'address' in body || 'vrfId' in body || 'role' in body || super.dependsOnOthers(db, body);
  }

  /**
   * Creates addresses with the lowest free hosts of a prefix, its length and its VRF, by one statement. Requests of one caller
   * for the same prefix at the same moment share it.
   * @param bodies what they say besides
   * @returns them as a JSON array in the order of the bodies; undefined, and none is created, if there are too few hosts or
   * no such prefix
   * @throws ValidationFailed
   */
  async allocate(
    ctx: RequestContext,
    prefixId: string,
    bodies: readonly Partial<IpAddress>[],
  ): Promise<PlainReply | undefined> {
    const { db } = ctx;
    const rows = bodies.map((body) => ({ ...this.newColumns(body, ctx), id: randomUUID() }));
    // Many addresses gain nothing by company, and would make others wait.
    const written =
      rows.length <= MOST_TOGETHER && db.by && (await this.sharesCreates(db))
        ? await this.claims.run(laneOf(db.by, [prefixId]), claimOf(db, prefixId, rows))
        : await this.claim(db, prefixId, rows);
    return written && new PlainReply(`[${written.map(({ json }) => json).join(',')}]`);
  }

  private readonly claims = new SharedStatements<Claim, JsonRow[] | undefined>(
    ({ db, prefixId, rows }) => this.claim(db, prefixId, rows),
    async (claims) => {
      const rows = claims.flatMap((claim) => claim.rows);
      const db = requestsOf(claims.flatMap((claim) => claim.rows.map(({ id }) => ({ id, db: claim.db }))));
      const written = await this.claim(db, claims[0]!.prefixId, rows, true);
      // There may be enough for some of them.
      if (!written) throw new Error('too few addresses for all requests');
      let next = 0;
      return claims.map((claim) => written.slice(next, (next += claim.rows.length)));
    },
  );

  private claim(
    db: Executor,
    prefixId: string,
    rows: readonly NewAddress[],
    isShared = false,
  ): Promise<JsonRow[] | undefined> {
    return this.insertBy(db, ALLOCATE, [prefixId, rows.length, JSON.stringify(rows)], rows, isShared);
  }
}

const claimOf = (db: Executor, prefixId: string, rows: readonly NewAddress[]): Claim => ({
  id: rows[0]!.id,
  size: JSON.stringify(rows).length,
  db,
  prefixId,
  rows,
});

// The prefix cannot change before its addresses are there.
const ALLOCATE = `WITH prefix AS MATERIALIZED (SELECT * FROM prefixes WHERE id = $1 FOR SHARE),
  claimed AS MATERIALIZED (
    SELECT set_masklen(c.host, masklen(p.prefix)) AS address, p.vrf_id, c.number
    FROM prefix p CROSS JOIN LATERAL claim_hosts(${usableHosts('p')}, $2::int) WITH ORDINALITY c (host, number)
  ),
  defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::ip_addresses, with_defaults('ip_addresses', '{}')) AS row
  ),
  written AS (
    INSERT INTO ip_addresses SELECT made.*
    FROM claimed c JOIN jsonb_array_elements($3::jsonb) WITH ORDINALITY body (columns, number) ON body.number = c.number
    CROSS JOIN defaults CROSS JOIN LATERAL jsonb_populate_record(defaults.row, body.columns
      || jsonb_build_object('address', c.address, 'family', family(c.address), 'vrf_id', c.vrf_id)) made RETURNING *
  )`;
