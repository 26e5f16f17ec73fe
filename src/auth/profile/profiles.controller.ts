import { Controller, Delete, Get, HttpCode, Inject, Param } from '@nestjs/common';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { pathId } from '../../http/path-id.js';
import { ResourceController } from '../../resource/resource.controller.js';
import type { Owner } from '../../records/owner.js';
import { type ResourceService, serviceOf } from '../../records/resource.service.js';
import { Operation } from '../../openapi/operation.js';
import { TagOf } from '../../resource/resource.operations.js';
import { Access } from '../../access/access.js';
import { CreateProfile, UpdateProfile } from './profile.bodies.js';
import { Session } from '../session/session.entity.js';
import { Sessions } from '../session/sessions.js';
import { Profile } from './profile.entity.js';
import { ProfilesService } from './profiles.service.js';

const admin = { role: 'admin' } as const;
const write = { ...admin, session: true } as const;

@Controller('api/profiles')
export class ProfilesController extends ResourceController({
  record: Profile,
  about: 'Login profiles and their sessions; for administrators',
  view: { columns: ['email', 'role', 'areas', 'isActive'], order: 'email' },
  create: CreateProfile,
  update: UpdateProfile,
  conflicts: true,
  access: { read: admin, write },
  service: ProfilesService,
  takesKeys: false,
  // Its password is not in the change log.
  restorable: false,
  // The last active administrator cannot be deleted or demoted.
  deleteErrors: [409],
  text: {
    update: {
      description:
        'Deactivating a profile ends its sessions at once, and its tokens are refused until it is active again. Changing its password ends its sessions and deletes its tokens. A changed role or area takes effect with the next request. The last active administrator cannot be demoted, deactivated or deleted.',
    },
  },
}) {}

const sessionsList = listOf(Session);

/** The open sessions of a profile. */
@Controller('api/profiles/:id/sessions')
@TagOf(Profile)
export class ProfileSessionsController {
  constructor(
    @Inject(serviceOf(Session)) private readonly service: ResourceService<Session>,
    @Inject(ProfilesService) private readonly profiles: ProfilesService,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  @Get()
  @Access(admin)
  @TakesQuery()
  @Operation({
    operationId: 'listProfileSessions',
    text: {
      summary: 'List the open sessions of a profile',
      description:
        'Each with the times at which it was opened and last used, and the address of the client. The session tokens themselves are never shown.',
    },
    list: sessionsList,
    fixed: ['profileId'],
    response: Session,
    status: 200,
    finds: 'profile',
  })
  list(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @QueryOf(sessionsList) request: ListRequest,
  ): Promise<ListReply> {
    return this.service.list(ctx, request, ownedBy(pathId(at)));
  }

  @Delete()
  @HttpCode(204)
  @Access(write)
  @Operation({
    operationId: 'endProfileSessions',
    text: { summary: 'End all sessions of a profile', description: 'Takes effect at once, on every replica.' },
    status: 204,
    finds: 'profile',
  })
  async end(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<void> {
    const id = pathId(at);
    await this.profiles.get(ctx, id);
    await this.sessions.endAll(ctx.db, id);
  }
}

const ownedBy = (id: string): Owner => ({ record: Profile, field: 'profileId', id });
