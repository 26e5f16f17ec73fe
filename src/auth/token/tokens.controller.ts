import { Controller, Delete, HttpCode, Inject } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Operation } from '../../openapi/operation.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { TagOf } from '../../resource/resource.operations.js';
import { ownRecords } from '../profile/own-records.js';
import { Tokens } from './tokens.js';
import { CreateToken, IssuedToken, UpdateToken } from './token.bodies.js';
import { Token } from './token.entity.js';
import { TokensService } from './tokens.service.js';

// A token cannot manage credentials. Otherwise a leaked token could create another one that outlives its deletion.
const write = { role: 'viewer', session: true } as const;

@Controller('api/tokens')
export class TokensController extends ResourceController({
  record: Token,
  about: 'Credentials for programs. Each belongs to a profile and never has more rights than that profile',
  view: { columns: ['name', 'profileId', 'role', 'areas', 'readOnly', 'expiresAt', 'lastUsedAt'], order: 'name' },
  create: CreateToken,
  created: IssuedToken,
  update: UpdateToken,
  conflicts: { create: true },
  access: { read: { role: 'viewer' }, write },
  service: TokensService,
  visible: ownRecords,
  takesKeys: false,
  // The change log does not contain its secret.
  restorable: false,
  text: {
    list: { description: 'Tokens of the caller; for administrators, tokens of all profiles.' },
    create: {
      description:
        'Only this response contains the token itself. A role or areas beyond those of the profile are refused, and so is a 101st unexpired token.',
    },
    update: { description: 'Changes the name. Nothing else of a token can be changed.' },
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
      description:
        "Deletes only the caller's own tokens, also for administrators. They stop working at once, on every replica.",
    },
    status: 204,
  })
  end(@Ctx() ctx: RequestContext): Promise<void> {
    return this.tokens.endAll(ctx.db, ctx.caller.profileId);
  }
}
