import { Controller, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { Access } from '../access/access.js';
import { BodyOf } from '../fields/bodies/bodies.js';
import { PathId } from '../http/path-id.js';
import { ActionReply } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import { DRY_RUN, readOptions } from '../lists/parameters/query-options.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { Operation } from '../openapi/operation.js';
import { Person } from '../people/person/person.entity.js';
import { writingOf } from '../records/record-access.js';
import { Idempotent } from '../resource/idempotency/idempotency.js';
import { TagOf } from '../resource/resource.operations.js';
import { Offboarding, OffboardPerson } from './offboarding.models.js';
import { OffboardingService } from './offboarding.service.js';

/** Offboarding of a person. */
@Controller('api/people/:id/offboard')
@TagOf(Person)
export class OffboardingController {
  constructor(@Inject(OffboardingService) private readonly service: OffboardingService) {}

  @Post()
  @HttpCode(200)
  @Access(writingOf(Person))
  @TakesQuery()
  @Idempotent()
  @Operation({
    operationId: 'offboardPerson',
    text: {
      summary: 'Let a person leave',
      description:
        'In one transaction, takes back the assets of the person, frees the licence seats, hands shifts that are not over, runbooks and unresolved incidents to the successor or leaves them empty, and sets the status of the person to `inactive`. Assets and seats need the area `procurement`, and shifts, runbooks and incidents the area `operations`, if there are any.',
    },
    body: OffboardPerson,
    bodyOptional: true,
    query: [DRY_RUN],
    response: Offboarding,
    rehearsed: true,
    status: 200,
    errors: [403, 409],
    finds: 'person',
  })
  async offboard(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @Query() query: RawQuery,
    @BodyOf(OffboardPerson, { optional: true }) body: OffboardPerson,
  ): Promise<ActionReply> {
    const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
    const done = await this.service.offboard(ctx, id, body, dryRun);
    return new ActionReply([JSON.stringify({ done })], [], dryRun);
  }
}
