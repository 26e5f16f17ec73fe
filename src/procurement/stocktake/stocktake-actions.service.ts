import { Inject, Injectable } from '@nestjs/common';
import { raw, sql, write } from '../../database/sql.js';
import { instantText } from '../../fields/types/time.js';
import { Conflict, Fault, invalid, NotFound, ValidationFailed } from '../../http/errors.js';
import { ActionReply } from '../../http/replies.js';
import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import type { NamedRecord } from '../../records/named-record.js';
import { References } from '../../records/references.js';
import type { Asset } from '../asset/asset.entity.js';
import { AssetsService } from '../asset/assets.service.js';
import { type ClosedStocktake, type CloseStocktake, ScanCodes, type ScannedCodes } from './stocktake.models.js';
import type { Stocktake } from './stocktake.entity.js';
import { countsOf } from './stocktake-result.js';

/** An asset that closing changes. */
interface Concerned {
  id: string;
  name: string;
  kind: 'missing' | 'misplaced';
  changed: boolean;
  siteId: string | null;
  locationId: string | null;
}

/** Records scans, and closes stocktakes. */
@Injectable()
export class StocktakeActionsService {
  constructor(@Inject(AssetsService) private readonly assets: AssetsService) {}

  /**
   * Records codes. The database numbers the scans, and the highest number of an asset is its last scan. So concurrent scanners see the
   * same result.
   * @throws NotFound, Conflict, ValidationFailed
   */
  scan(ctx: RequestContext, id: string, body: ScanCodes): Promise<ScannedCodes> {
    const { codes, siteId = null, locationId = null } = body;
    const references = new References(ctx);
    references.add(ScanCodes, body, '');
    // In a fixed order, so that two devices that scan the same codes wait for each other.
    const scanned = [...new Set(codes)].toSorted();
    return ctx.transaction(async (tx) => {
      // Scanners run concurrently, and closing waits for them.
      await lockOpen(tx, id, 'FOR SHARE');
      const dangling = await references.dangling(tx.db);
      if (dangling.length > 0) throw new ValidationFailed(dangling);
      await refuseContradiction(tx, siteId, locationId);
      await tx.db.write(
        write`INSERT INTO stocktake_scans AS s (stocktake_id, code, site_id, location_id)
          SELECT ${id}::uuid, code, ${siteId}::uuid, ${locationId}::uuid FROM unnest(${scanned}::text[]) WITH ORDINALITY g (code, place)
          ORDER BY place
          ON CONFLICT (stocktake_id, code) DO UPDATE SET site_id = excluded.site_id, location_id = excluded.location_id,
            position = excluded.position
          WHERE s.position < excluded.position`,
      );
      const odd = await tx.db.query<{ code: string; assets: number }>(
        sql`SELECT g.code, count(DISTINCT a.id)::int AS assets FROM unnest(${scanned}::text[]) g (code)
          LEFT JOIN LATERAL (
            SELECT id FROM assets WHERE asset_tag = g.code UNION ALL SELECT id FROM assets WHERE serial_number = g.code
          ) a ON true
          GROUP BY g.code HAVING count(DISTINCT a.id) <> 1 ORDER BY g.code COLLATE "C"`,
      );
      const those = (isUnknown: boolean): string[] =>
        odd.filter(({ assets }) => (assets === 0) === isUnknown).map(({ code }) => code);
      return { count: scanned.length, unknown: those(true), ambiguous: those(false) };
    });
  }

  /** Applies the result and stores it, all of it or nothing. @throws NotFound, Conflict, ValidationFailed */
  async close(ctx: RequestContext, id: string, body: CloseStocktake, dryRun: boolean): Promise<ActionReply> {
    const closed = await ctx.transaction((tx) => this.closeOn(tx, id, body), dryRun);
    return new ActionReply([JSON.stringify(closed)], [], dryRun);
  }

  private async closeOn(tx: InTransaction, id: string, body: CloseStocktake): Promise<ClosedStocktake> {
    const { relocate = false, missingStatus = null } = body;
    const { name } = await lockOpen(tx, id, 'FOR UPDATE');
    const kinds = [...(relocate ? ['misplaced'] : []), ...(missingStatus === null ? [] : ['missing'])];
    const locked = await this.lockConcerned(tx, id, kinds);
    // Counted under the locks, so that nobody else can change these assets.
    await tx.db.write(
      write`INSERT INTO stocktake_entries (stocktake_id, position, kind, expected, asset_id, name, asset_tag, serial_number, status,
          code, candidates, recorded, seen, changed)
        SELECT ${id}::uuid, row_number() OVER (ORDER BY t.name COLLATE "C", t.code COLLATE "C", t.asset_id), t.kind, t.expected, t.asset_id,
          t.name, t.asset_tag, t.serial_number, t.status, t.code, t.candidates, t.recorded, t.seen, t.changed
        FROM count_stocktake(${id}) t`.unprepared(),
    );
    const concerned = await tx.db.query<Concerned>(
      sql`SELECT asset_id AS id, name, kind, changed, seen->>'siteId' AS "siteId", seen->>'locationId' AS "locationId"
        FROM stocktake_entries WHERE stocktake_id = ${id} AND kind = ANY(${kinds}) ORDER BY position`,
    );
    // An asset that was added meanwhile is changed too.
    const isLeft = (asset: Concerned): boolean => asset.changed || !locked.has(asset.id);
    const applied = concerned.filter((asset) => !isLeft(asset));
    await this.assets.updateMany(
      tx,
      applied.map(({ id: assetId, kind, siteId, locationId }): { id: string; body: Partial<Asset> } => ({
        id: assetId,
        body: kind === 'misplaced' ? { siteId, locationId } : { status: missingStatus! },
      })),
    );
    const [stocktake] = await tx.db.write<{ closedAt: string }>(
      write`UPDATE stocktakes SET status = 'closed', closed_at = now(), closed_by = ${tx.caller.email}
        WHERE id = ${id} RETURNING ${raw(instantText('closed_at'))} AS "closedAt"`,
    );
    const relocated = applied.filter(({ kind }) => kind === 'misplaced').length;
    return {
      id,
      name,
      status: 'closed',
      closedAt: stocktake!.closedAt,
      closedBy: tx.caller.email,
      counts: await countsOf(tx.db, id),
      relocated,
      marked: applied.length - relocated,
      skipped: concerned
        .filter(isLeft)
        .map(({ id: assetId, name: assetName }): NamedRecord => ({ resource: 'assets', id: assetId, name: assetName })),
    };
  }

  /** Locks the assets that closing changes. @returns their ids */
  private async lockConcerned(tx: InTransaction, id: string, kinds: readonly string[]): Promise<Set<string>> {
    if (kinds.length === 0) return new Set();
    const rows = await tx.db.query<{ id: string }>(
      sql`SELECT asset_id AS id FROM count_stocktake(${id}) WHERE kind = ANY(${kinds}) AND NOT changed`.unprepared(),
    );
    return this.assets.lock(
      tx,
      rows.map((row) => row.id),
    );
  }
}

/** @throws ValidationFailed if a location is at another site */
async function refuseContradiction(tx: InTransaction, siteId: string | null, locationId: string | null): Promise<void> {
  const [other] = await tx.db.query<{ location: string; site: string }>(
    sql`SELECT l.name AS location, s.name AS site FROM locations l JOIN sites s ON s.id = l.site_id
      WHERE l.id = ${locationId} AND l.site_id <> ${siteId}`,
  );
  if (other) throw invalid('siteId', `must be the site of locationId: '${other.location}' is in '${other.site}'`);
}

/** Locks a stocktake. @throws NotFound, Conflict if it is closed */
async function lockOpen(
  tx: InTransaction,
  id: string,
  lock: 'FOR SHARE' | 'FOR UPDATE',
): Promise<Pick<Stocktake, 'name'>> {
  const [found] = await tx.db.query<Pick<Stocktake, 'name' | 'status'>>(
    sql`SELECT name, status FROM stocktakes WHERE id = ${id} ${raw(lock)}`,
  );
  if (!found) throw new NotFound('Stocktake');
  if (found.status === 'closed')
    throw new Conflict(new Fault('status', 'is closed: the result of the stocktake is final'));
  return found;
}
