import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.js';
import type { Clock } from '../credential/clock.js';
import type { SignInState } from './sign-in-state.js';
import { write } from '../../database/sql.js';

/** Allows one callback for each sign-in, on all replicas, even if the provider accepts a code twice. */
export class UsedSignIns {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Marks a sign-in as used. Of several callbacks with one state, only one gets true. */
  async use({ state, expiresAt }: SignInState): Promise<boolean> {
    const marked = await this.db.write(
      write`INSERT INTO used_sign_ins (state_hash, expires_at) VALUES (${createHash('sha256').update(state).digest('base64url')}, ${new Date(expiresAt)}) ON CONFLICT DO NOTHING RETURNING state_hash`,
    );
    return marked.length > 0;
  }

  /** Deletes expired sign-ins. Their callbacks are refused without a query. */
  async prune(): Promise<void> {
    await this.db.write(write`DELETE FROM used_sign_ins WHERE expires_at <= ${this.clock.now()}`);
  }
}
