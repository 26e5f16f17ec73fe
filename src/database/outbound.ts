import { Inject, Injectable } from '@nestjs/common';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { Database } from './database.js';
import { identityOf, isOwn, takeIdentity } from './identity.js';

const SWITCHED_OFF =
  'OUTBOUND is false. Without it, the service sends what happens from then on, unless the database is a copy';
const COPY =
  'this database was restored, copied or moved, and another one may be in use. If this is the one that is in use, start the service once with OUTBOUND=true';

/** Whether webhooks and calendars are sent. A copy of a database has those of the original, so it sends nothing until an operator allows it. */
@Injectable()
export class Outbound {
  private isTaken = false;
  private isOriginal = false;

  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async isOn(): Promise<boolean> {
    const { outbound } = this.configuration;
    if (outbound === false) return false;
    // A copy looks this up again, because another replica may have marked it as an original.
    if (!this.isOriginal) {
      const identity = await identityOf(this.db, this.configuration);
      if (outbound === true && !this.isTaken) {
        await takeIdentity(this.db, identity);
        this.isTaken = true;
      }
      this.isOriginal = await isOwn(this.db, identity);
    }
    return this.isOriginal;
  }

  /** Why nothing is sent, for operators; undefined if it is sent. */
  async reason(): Promise<string | undefined> {
    if (await this.isOn()) return undefined;
    return this.configuration.outbound === false ? SWITCHED_OFF : COPY;
  }
}
