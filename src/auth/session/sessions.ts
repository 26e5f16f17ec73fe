import { createHash, randomBytes } from 'node:crypto';
import type { Database, Executor } from '../../database/database.js';
import type { Area, Caller, Role } from '../../access/access.js';
import type { Clock } from '../credential/clock.js';
import { CallerLookup } from '../credential/caller-lookup.js';
import { LookupBudget } from '../credential/lookup-budget.js';

export interface SessionLimits {
  idleMinutes: number;
  absoluteHours: number;
}

/** Who opens a session, and with what. */
export interface NewSession {
  /** Hash that the password was verified with; none where no password was asked for. */
  passwordHash?: string;
  remoteAddress?: string;
  userAgent?: string;
}

// The last use is written at most this often, so that reading costs no write; and ten times while a session may be idle, so
// that one in use does not end.
const TOUCH_AFTER_MS = 60_000;
const TOUCHES_WHILE_IDLE = 10;

// 32 bytes in base64url, as every token is. What looks otherwise is none, and is not looked up.
const TOKEN = /^[\w-]{43}$/;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A session as the database showed it. */
interface OpenSession {
  caller: Caller;
  /** Milliseconds since the epoch, as the other. */
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
    private readonly budget = new LookupBudget(clock),
  ) {
    this.callers = new CallerLookup(db, budget, {
      hasForm: (token) => TOKEN.test(token),
      read: (token) => this.read(token),
      isUsable: (session, now) => this.isOpen(session, now),
    });
  }

  /**
   * Token of a new session: 32 random bytes in base64url. The one place where it is ever seen. Undefined where the profile
   * is gone or not active, or has another password than the one that was verified: that is looked at under a lock on its
   * row, so that whoever changes the profile also ends this session, or keeps it from being opened.
   */
  async open(
    db: Executor,
    profileId: string,
    { passwordHash, remoteAddress, userAgent }: NewSession = {},
  ): Promise<string | undefined> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const expires = new Date(now.getTime() + this.limits.absoluteHours * 3_600_000);
    const opened = await db.query(
      `INSERT INTO sessions (profile_id, token_hash, last_seen_at, expires_at, remote_address, user_agent)
       SELECT p.id, $2, $3, $4, $5, $6 FROM profiles p
       WHERE p.id = $1 AND p.is_active AND ($7::text IS NULL OR p.password_hash = $7) FOR SHARE
       RETURNING id`,
      [
        profileId,
        hashOf(token),
        now,
        expires,
        remoteAddress ?? null,
        userAgent?.slice(0, 255) ?? null,
        passwordHash ?? null,
      ],
    );
    if (opened.length === 0) return undefined;
    this.budget.good(token);
    return token;
  }

  /**
   * The caller behind a token, or undefined: unknown, expired, ended, or of a profile that is not active.
   * @param addressOf the address of the client, asked for where the token is not remembered
   * @throws DomainError tooManyRequests where the address has tried too many that are none
   */
  async find(token: string, addressOf: () => string): Promise<Caller | undefined> {
    const now = this.clock.now().getTime();
    const session = await this.callers.find(token, now, addressOf);
    if (!session) return undefined;
    const touchAfter = Math.min(TOUCH_AFTER_MS, (this.limits.idleMinutes * 60_000) / TOUCHES_WHILE_IDLE);
    if (now - session.lastSeenAt > touchAfter) {
      session.lastSeenAt = now;
      // Whoever has locked the row is about to end the session, or to do the same. A reader waits for neither.
      await this.db.query(
        `UPDATE sessions SET last_seen_at = $2
         WHERE id = (SELECT id FROM sessions WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED)`,
        [session.caller.credential.id, new Date(now)],
      );
    }
    return session.caller;
  }

  private async read(token: string): Promise<OpenSession | undefined> {
    const [row] = await this.db.query<SessionRow>(
      `SELECT s.id, s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt", p.id AS "profileId", p.email, p.role, p.areas
       FROM sessions s JOIN profiles p ON p.id = s.profile_id
       WHERE s.token_hash = $1 AND p.is_active`,
      [hashOf(token)],
    );
    if (!row) return undefined;
    const { id, profileId, email, role, areas } = row;
    return {
      caller: { profileId, email, role, areas, credential: { kind: 'session', id } },
      lastSeenAt: row.lastSeenAt.getTime(),
      expiresAt: row.expiresAt.getTime(),
    };
  }

  private isOpen({ lastSeenAt, expiresAt }: OpenSession, now: number): boolean {
    return expiresAt > now && lastSeenAt > now - this.limits.idleMinutes * 60_000;
  }

  /** Ends one session. */
  async end(sessionId: string): Promise<void> {
    await this.db.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
  }

  /** Ends the sessions of a profile, but for the one that is kept. */
  async endAll(db: Executor, profileId: string, keep?: string): Promise<void> {
    await db.query('DELETE FROM sessions WHERE profile_id = $1 AND id IS DISTINCT FROM $2', [profileId, keep ?? null]);
  }

  /** Deletes what can no longer be used. */
  async prune(): Promise<void> {
    const now = this.clock.now();
    const idleSince = new Date(now.getTime() - this.limits.idleMinutes * 60_000);
    await this.db.query('DELETE FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2', [now, idleSince]);
  }
}
