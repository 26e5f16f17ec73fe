import { Controller, Delete, HttpCode, Inject } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../access/request-context.js';
import { Operation } from '../../openapi/operation.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { TagOf } from '../../resource/resource.operations.js';
import { ownRecords } from '../profile/own-records.js';
import { Tokens } from './tokens.js';
import { CreateToken, IssuedToken, UpdateToken } from './token.bodies.js';
import { Token } from './token.entity.js';
import { TokensService } from './tokens.service.js';

// With a token nobody makes, changes or ends a credential: one that leaked would outlive its deletion.
const write = { role: 'viewer', session: true } as const;

@Controller('api/tokens')
export class TokensController extends ResourceController({
  record: Token,
  about: 'Credentials for programs: each belongs to a profile, and never has more rights than that has',
  create: CreateToken,
  created: IssuedToken,
  update: UpdateToken,
  conflicts: { create: true },
  access: { read: { role: 'viewer' }, write },
  service: TokensService,
  visible: ownRecords,
  takesKeys: false,
  // Its secret is not in the change log.
  restorable: false,
  text: {
    list: { description: 'Those of the caller; for administrators those of everybody.' },
    create: {
      description:
        'Answers the token itself, this once. A role or areas beyond those of its profile are refused, and so is a 101st token that has not expired.',
    },
    update: { description: 'Changes its name. Whatever else it is, it stays until it is deleted.' },
    delete: { description: 'Ends the token at once, on every replica.' },
  },
}) {}

/** All tokens of the caller. */
@Controller('api/tokens')
@TagOf(Token)
export class OwnTokensController {
  constructor(@Inject(Tokens) private readonly tokens: Tokens) {}

  @Delete()
  @HttpCode(204)
  @Access(write)
  @Operation({
    operationId: 'deleteOwnTokens',
    text: {
      summary: 'Delete all tokens of the caller',
      description: "For administrators too, only the caller's own. They end at once, on every replica.",
    },
    status: 204,
  })
  end(@Ctx() ctx: RequestContext): Promise<void> {
    return this.tokens.endAll(ctx.db, ctx.caller.profileId);
  }
}
