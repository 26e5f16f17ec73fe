import { Inject } from '@nestjs/common';
import { hasRole } from '../../access/access.js';
import type { RequestContext } from '../../lists/request-context.js';
import type { Transaction } from '../../database/executor.js';
import { DomainError } from '../../http/errors.js';
import type { RecordReply } from '../../http/replies.js';
import { RecordStores } from '../../records/record-store.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { issueToken } from './issue-token.js';
import type { CreateToken } from './token.bodies.js';
import { Token } from './token.entity.js';
import { sql } from '../../database/sql.js';

/** The tokens of the caller; for an administrator, those of all profiles. */
@RecordService(Token)
export class TokensService extends ResourceService<Token> {
  constructor(@Inject(RecordStores) stores: RecordStores) {
    super(stores);
  }

  override async create(ctx: RequestContext, { profileId, ...wanted }: CreateToken): Promise<RecordReply> {
    const { caller } = ctx;
    const owner = profileId ?? caller.profileId;
    if (owner !== caller.profileId && !hasRole(caller, 'admin')) {
      throw new DomainError('forbidden', 'Only administrators can create tokens of another profile');
    }
    return ctx.transaction(async (tx) => {
      const { id, text } = await issueToken(tx.db, owner, wanted as CreateToken & { name: string });
      await assertOpen(tx.db, caller.credential.id);
      return (await this.recordOn(tx, id)).with({ token: text });
    });
  }
}

/** Prevents a session that is being ended, for example by a new password, from creating a token. */
export async function assertOpen(tx: Transaction, sessionId: string): Promise<void> {
  const [open] = await tx.query(sql`SELECT 1 FROM sessions WHERE id = ${sessionId} FOR KEY SHARE`);
  if (!open) throw new DomainError('unauthenticated');
}
