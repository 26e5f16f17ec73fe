import { Controller, Get, Inject } from '@nestjs/common';
import { Public } from '../access/access.js';
import { Database } from '../database/database.js';
import { Unavailable } from '../http/errors.js';
import { TakesQuery } from '../http/route-config.js';
import { Operation } from '../openapi/operation.js';
import { Tag } from '../openapi/tags.js';
import { HealthStatus } from './health-status.js';
import { sql } from '../database/sql.js';

// An orchestrator has its own timeout, and a later response would not reach it.
const DEADLINE_MS = 1500;

// A probe may have parameters of its own, for example to avoid caches, and must not fail because of them.
@TakesQuery()
@Public()
@Controller('health')
@Tag('Health', 'Whether the service and its database are available')
export class HealthController {
  /** The running check. Concurrent requests share it, because anybody may send any number of them. */
  private checking?: Promise<boolean>;

  constructor(@Inject(Database) private readonly db: Database) {}

  @Get('live')
  @Operation({
    operationId: 'getLiveness',
    text: {
      summary: 'Whether the process responds',
      description: 'Checks nothing else. Restart the process if this fails.',
    },
    response: HealthStatus,
    status: 200,
  })
  live(): HealthStatus {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    operationId: 'getReadiness',
    text: {
      summary: 'Whether the database responds',
      description: 'Responds with 503 within two seconds if it does not. Do not send requests to the service then.',
    },
    response: HealthStatus,
    status: 200,
    errors: [503],
  })
  async ready(): Promise<HealthStatus> {
    this.checking ??= this.check().finally(() => (this.checking = undefined));
    if (!(await this.checking)) throw new Unavailable();
    return { status: 'ok' };
  }

  private async check(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(this.isBusy()), DEADLINE_MS);
    });
    const responds = this.db.query(sql`SELECT 1`).then(
      () => true,
      () => false,
    );
    const isReady = await Promise.race([responds, deadline]);
    clearTimeout(timer);
    return isReady;
  }

  /** Whether the only connection is in use, for example by an import. Others wait for it, but the database works. */
  private isBusy(): boolean {
    return this.db.size === 1 && !this.db.outage.isOn;
  }
}
