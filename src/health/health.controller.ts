import { Controller, Get, Inject } from '@nestjs/common';
import { Public } from '../access/access.js';
import { Database } from '../database/database.js';
import { DomainError } from '../http/errors.js';
import { Operation } from '../openapi/operation.js';
import { Tag } from '../openapi/tags.js';
import { HealthStatus } from './health-status.js';

// A check that takes longer than an orchestrator waits is no answer.
const DEADLINE_MS = 1500;

@Controller('health')
@Tag('Health', 'Whether the service runs, and its database too')
export class HealthController {
  constructor(@Inject(Database) private readonly db: Database) {}

  @Get('live')
  @Public()
  @Operation({
    operationId: 'getLiveness',
    text: {
      summary: 'Whether the process answers',
      description: 'Looks at nothing else: restart the process where this fails.',
    },
    response: HealthStatus,
    status: 200,
  })
  live(): HealthStatus {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @Operation({
    operationId: 'getReadiness',
    text: {
      summary: 'Whether the database answers',
      description: 'Answers 503 within two seconds where it does not: send no requests then.',
    },
    response: HealthStatus,
    status: 200,
    errors: [503],
  })
  async ready(): Promise<HealthStatus> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('deadline')), DEADLINE_MS);
    });
    try {
      await Promise.race([this.db.query('SELECT 1'), deadline]);
    } catch {
      throw new DomainError('unavailable', undefined, { headers: { 'retry-after': '2' } });
    } finally {
      clearTimeout(timer);
    }
    return { status: 'ok' };
  }
}
