import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';
import { Callers } from '../../access/callers.js';
import { clientAddress } from '../../http/client-address.js';
import { sessionCookie } from './session-cookie.js';
import { Sessions } from './sessions.js';

/** Callers by the session in their cookie. */
@Injectable()
export class SessionCallers extends Callers {
  constructor(@Inject(Sessions) private readonly sessions: Sessions) {
    super();
  }

  async callerOf(request: FastifyRequest): Promise<Caller | undefined> {
    const token = sessionCookie(request);
    return token === undefined ? undefined : this.sessions.find(token, () => clientAddress(request));
  }
}
