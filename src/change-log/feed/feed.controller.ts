import { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, type AccessRule } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { invalid } from '../../http/errors.js';
import { BodyReply, JSON_TYPE } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { type RawQuery, readQuery } from '../../lists/parameters/query-parameters.js';
import { Operation } from '../../openapi/operation.js';
import { Tag } from '../../openapi/tags.js';
import { ChangeLogEntry } from '../change-log-entry.entity.js';
import { ChangeFeed, FEED_START, type FeedPosition } from './change-feed.js';
import { cursorText, parseCursor } from './feed-cursor.js';
import { FeedReaders } from './feed-readers.js';
import { type FeedRequest, newFeedRequest, PAGE_PARAMETERS, START, STREAM_PARAMETERS } from './feed.parameters.js';

const access: AccessRule = { role: 'viewer' };

const ORDER =
  'Entries come in the order of their transactions, and none is ever skipped: an entry is shown once every transaction that began to write before its own has ended. An open transaction, in any database of the PostgreSQL server, delays the feed.';
const WHO = 'Entries that the caller may not read are left out, and the cursor goes on past them.';

const EVENT_STREAM = 'text/event-stream';

@Controller('api/changes')
@Tag('Changes', 'The change log as a feed for programs')
export class FeedController {
  constructor(
    @Inject(ChangeFeed) private readonly feed: ChangeFeed,
    @Inject(FeedReaders) private readonly readers: FeedReaders,
  ) {}

  @Get()
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'readChanges',
    text: {
      summary: 'Read the feed of changes',
      description: `The entries of the change log after a cursor. Send the \`cursor\` of the response as \`since\` of the next request; while \`hasMore\` is true there is more to read at once. ${ORDER} ${WHO} A cursor whose entry is no longer kept, or that is from another log, is refused with 410.`,
    },
    query: PAGE_PARAMETERS,
    response: ChangeLogEntry,
    feed: true,
    errors: [410, 429],
    status: 200,
  })
  async read(
    @Ctx() { caller }: RequestContext,
    @Query() query: RawQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BodyReply> {
    const request = readQuery(query, PAGE_PARAMETERS, newFeedRequest());
    const { limit, wait } = request;
    if (wait > 0) this.readers.assertRoom(caller);
    const from = await this.startOf(request);
    const { entries, end, hasMore } = await this.readers.page(reply, from, { ...request, caller }, limit, wait);
    const data = entries.map(({ json }) => json).join(',');
    return new BodyReply(JSON_TYPE, `{"data":[${data}],"cursor":"${cursorText(end)}","hasMore":${hasMore}}`);
  }

  @Get('stream')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'streamChanges',
    text: {
      summary: 'Follow the feed of changes',
      description: `The same entries as server-sent events. The name of an event is \`<resource>.<action>\`, its id the cursor, and its data the entry. A client that reconnects sends the last id as \`Last-Event-ID\`, which has precedence over \`since\`. A comment is sent every 15 seconds. The stream ends when the session or token ends, or when the caller's role or areas change. ${WHO}`,
    },
    query: STREAM_PARAMETERS,
    stream: { type: EVENT_STREAM, description: 'Server-sent events' },
    errors: [410, 429],
    status: 200,
  })
  async stream(
    @Ctx() { caller }: RequestContext,
    @Query() query: RawQuery,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BodyReply> {
    const request = readQuery(query, STREAM_PARAMETERS, newFeedRequest());
    this.readers.assertRoom(caller);
    const resumed = headers['last-event-id'];
    const from =
      resumed === undefined || resumed === '' ? await this.startOf(request) : await this.resume(String(resumed));
    const events = this.readers.stream(reply, from, { ...request, caller });
    // Disables buffering in proxies, which would delay events.
    void reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    return new BodyReply(EVENT_STREAM, Readable.from(events, { objectMode: false }));
  }

  private startOf({ since }: FeedRequest): Promise<FeedPosition> {
    if (since === undefined) return this.feed.latest();
    return since === START ? Promise.resolve(FEED_START) : this.feed.positionOf(since, 'since');
  }

  private async resume(text: string): Promise<FeedPosition> {
    const cursor = parseCursor(text);
    if (!cursor) throw invalid('Last-Event-ID', 'must be the id of an event of this stream');
    return this.feed.positionOf(cursor, 'Last-Event-ID');
  }
}
