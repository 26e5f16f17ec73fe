import { timingSafeEqual } from 'node:crypto';
import { tokenRights, type Area, type Caller, type Role } from '../../access/access.js';
import type { Database } from '../../database/database.js';
import type { Executor } from '../../database/executor.js';
import { sql, write } from '../../database/sql.js';
import { ignoreDiskFault } from '../../database/database-errors.js';
import { DomainError } from '../../http/errors.js';
import type { Clock } from '../credential/clock.js';
import { CallerLookup } from '../credential/caller-lookup.js';
import { AddressRanges } from './networks.field.js';
import { isWellFormed, storedOf } from './token-text.js';

// The last use is written at most this often, so that most requests write nothing.
const TOUCH_AFTER_MS = 60_000;

/** A token as it was read from the database. */
interface CachedToken {
  caller: Caller;
  /** Undefined if it may be used from anywhere. */
  ranges?: AddressRanges;
  /** Milliseconds since the epoch; 0 if it has not been used. */
  lastUsedAt: number;
  expiresAt: number;
}

interface TokenRow {
  id: string;
  name: string;
  secretHash: Buffer;
  role: Role;
  areas: Area[];
  readOnly: boolean;
  networks: string[];
  expiresAt: Date;
  lastUsedAt: Date | null;
  profileId: string;
  email: string;
  profileRole: Role;
  profileAreas: Area[];
}

/** Finds callers by their tokens. */
export class Tokens {
  private readonly callers: CallerLookup<CachedToken>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {
    this.callers = new CallerLookup(db, {
      isWellFormed,
      // Includes expired tokens, because their response says that they have expired.
      read: (text) => this.read(text),
    });
  }

  /**
   * The caller of a token. Undefined if it is malformed, unknown or deleted, or its profile is not active.
   * @param addressOf the address of the client
   * @throws DomainError unauthenticated if it has expired; forbidden if the address is outside its networks
   */
  find(text: string, addressOf: () => string): Caller | undefined | Promise<Caller | undefined> {
    const now = this.clock.now().getTime();
    const token = this.callers.cached(text, now);
    if (token) return this.use(token, now, addressOf);
    return this.callers.read(text, now)?.then((found) => found && this.use(found, now, addressOf));
  }

  private use(token: CachedToken, now: number, addressOf: () => string): Caller | Promise<Caller> {
    const { caller, expiresAt, ranges } = token;
    if (expiresAt <= now) {
      throw new DomainError('unauthenticated', `The token expired at ${new Date(expiresAt).toISOString()}`);
    }
    if (ranges && !ranges.has(addressOf())) {
      throw new DomainError('forbidden', `The token cannot be used from the address ${addressOf()}`);
    }
    if (now - token.lastUsedAt < TOUCH_AFTER_MS) return caller;
    token.lastUsedAt = now;
    return this.touch(caller.credential.id, addressOf(), new Date(now)).then(() => caller);
  }

  /** Ends all tokens of a profile. */
  async endAll(db: Executor, profileId: string): Promise<void> {
    await db.write(write`DELETE FROM tokens WHERE profile_id = ${profileId} RETURNING id`);
  }

  private async read(text: string): Promise<CachedToken | undefined> {
    const { prefix, secretHash } = storedOf(text);
    const [row] = await this.db.query<TokenRow>(
      sql`SELECT t.id, t.name, t.secret_hash AS "secretHash", t.role, t.areas, t.read_only AS "readOnly",
         t.allowed_networks::text[] AS networks, t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt",
         p.id AS "profileId", p.email, p.role AS "profileRole", p.areas AS "profileAreas"
       FROM tokens t JOIN profiles p ON p.id = t.profile_id
       WHERE t.prefix = ${prefix} AND p.is_active`,
    );
    if (!row || !timingSafeEqual(row.secretHash, secretHash)) return undefined;
    const { id, name, readOnly, profileId, email, networks } = row;
    return {
      caller: {
        profileId,
        email,
        ...tokenRights({ role: row.profileRole, areas: row.profileAreas }, row),
        credential: { kind: 'token', id, name, readOnly },
      },
      ...(networks.length > 0 && { ranges: new AddressRanges(networks) }),
      lastUsedAt: row.lastUsedAt?.getTime() ?? 0,
      expiresAt: row.expiresAt.getTime(),
    };
  }

  /** Writes the time of the last use, unless any replica has done so within a minute. */
  private async touch(id: string, address: string, now: Date): Promise<void> {
    // A locked row is being deleted or updated already.
    await this.db
      .writeAtOnce(
        write`UPDATE tokens SET last_used_at = ${now}, last_used_address = ${address}
         WHERE id = (SELECT id FROM tokens WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${new Date(now.getTime() - TOUCH_AFTER_MS)})
           FOR NO KEY UPDATE SKIP LOCKED)`,
      )
      .catch(ignoreDiskFault);
  }
}
