import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.js';
import { sql, write } from '../../database/sql.js';
import type { Executor } from '../../database/executor.js';
import { ignoreDiskFault } from '../../database/database-errors.js';
import type { Area, Caller, Role } from '../../access/access.js';
import type { Clock } from '../credential/clock.js';
import { CallerLookup } from '../credential/caller-lookup.js';

export interface SessionLimits {
  idleMinutes: number;
  absoluteHours: number;
}

/** The circumstances in which a session is opened. */
export interface NewSession {
  /** Hash with which the password was verified; absent if no password was needed. */
  passwordHash?: string;
  remoteAddress?: string;
  userAgent?: string;
}

// The last use is written at most this often, so that most requests write nothing. It is written at least ten times per idle
// timeout, so that a session in use does not end.
const TOUCH_AFTER_MS = 60_000;
const TOUCHES_WHILE_IDLE = 10;

const FORM = /^[\w-]{43}$/;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A session as it was read from the database. */
interface OpenSession {
  caller: Caller;
  /** Both in milliseconds since the epoch. */
  lastSeenAt: number;
  expiresAt: number;
}

interface SessionRow {
  id: string;
  lastSeenAt: Date;
  expiresAt: Date;
  profileId: string;
  email: string;
  role: Role;
  areas: Area[];
}

/** Opens, finds and ends sessions. */
export class Sessions {
  private readonly callers: CallerLookup<OpenSession>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly limits: SessionLimits,
  ) {
    this.callers = new CallerLookup(db, {
      isWellFormed: (token) => FORM.test(token),
      read: (token, now) => this.read(token, now),
    });
  }

  /**
   * Opens a session and returns its token: 32 random bytes in base64url, which are not stored. Undefined if the profile does not exist,
   * is not active, or no longer has the password that was verified. This is checked under a lock on the profile's row. So a concurrent
   * change of the profile either ends this session or prevents it.
   */
  async open(
    db: Executor,
    profileId: string,
    { passwordHash, remoteAddress, userAgent }: NewSession = {},
  ): Promise<string | undefined> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const expires = new Date(now.getTime() + this.limits.absoluteHours * 3_600_000);
    const verified = sql`${passwordHash ?? null}`;
    const opened = await db.write(
      write`INSERT INTO sessions (profile_id, token_hash, last_seen_at, expires_at, remote_address, user_agent)
        SELECT p.id, ${hashOf(token)}, ${now}, ${expires}, ${remoteAddress ?? null}, ${userAgent?.slice(0, 255) ?? null} FROM profiles p
        WHERE p.id = ${profileId} AND p.is_active AND (${verified}::text IS NULL OR p.password_hash = ${verified}) FOR SHARE
        RETURNING id`,
    );
    return opened.length > 0 ? token : undefined;
  }

  /** The caller of a token. Undefined if the token is unknown, expired or ended, or its profile is not active. */
  find(token: string): Caller | undefined | Promise<Caller | undefined> {
    const now = this.clock.now().getTime();
    const session = this.callers.cached(token, now);
    // Only the database knows whether a session has expired, because another replica may have extended it.
    if (session && this.isOpen(session, now)) return this.use(session, now);
    return this.callers.read(token, now)?.then((found) => found && this.use(found, now));
  }

  private use(session: OpenSession, now: number): Caller | Promise<Caller> {
    const touchAfter = Math.min(TOUCH_AFTER_MS, (this.limits.idleMinutes * 60_000) / TOUCHES_WHILE_IDLE);
    return now - session.lastSeenAt > touchAfter ? this.touch(session, now) : session.caller;
  }

  private async touch(session: OpenSession, now: number): Promise<Caller> {
    session.lastSeenAt = now;
    // A locked row is being deleted or updated already.
    await this.db
      .writeAtOnce(
        write`UPDATE sessions SET last_seen_at = ${new Date(now)}
         WHERE id = (SELECT id FROM sessions WHERE id = ${session.caller.credential.id} FOR NO KEY UPDATE SKIP LOCKED)`,
      )
      .catch(ignoreDiskFault);
    return session.caller;
  }

  private async read(token: string, now: number): Promise<OpenSession | undefined> {
    const [row] = await this.db.query<SessionRow>(
      sql`SELECT s.id, s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt", p.id AS "profileId", p.email, p.role, p.areas
       FROM sessions s JOIN profiles p ON p.id = s.profile_id
       WHERE s.token_hash = ${hashOf(token)} AND p.is_active`,
    );
    if (!row) return undefined;
    const { id, profileId, email, role, areas } = row;
    const session: OpenSession = {
      caller: { profileId, email, role, areas, credential: { kind: 'session', id } },
      lastSeenAt: row.lastSeenAt.getTime(),
      expiresAt: row.expiresAt.getTime(),
    };
    return this.isOpen(session, now) ? session : undefined;
  }

  private isOpen({ lastSeenAt, expiresAt }: OpenSession, now: number): boolean {
    return expiresAt > now && lastSeenAt > now - this.limits.idleMinutes * 60_000;
  }

  /** Ends one session. */
  async end(sessionId: string): Promise<void> {
    await this.db.write(write`DELETE FROM sessions WHERE id = ${sessionId}`);
  }

  /** Ends the sessions of a profile, except the one that is kept. */
  async endAll(db: Executor, profileId: string, keep?: string): Promise<void> {
    await db.write(
      write`DELETE FROM sessions WHERE profile_id = ${profileId} AND id IS DISTINCT FROM ${keep ?? null} RETURNING id`,
    );
  }

  /** Deletes sessions that can no longer be used. */
  async prune(): Promise<void> {
    const now = this.clock.now();
    const idleSince = new Date(now.getTime() - this.limits.idleMinutes * 60_000);
    await this.db.write(write`DELETE FROM sessions WHERE expires_at <= ${now} OR last_seen_at <= ${idleSince}`);
  }
}
