import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';
import { Callers } from '../../access/access.guard.js';
import { DomainError } from '../../http/errors.js';
import { whenFinished } from '../../http/finished.js';
import { Database } from '../../database/database.js';
import { ChangeFeed, type FeedEntry, type FeedFilter, type FeedPage, type FeedPosition, wants } from './change-feed.js';
import { cursorText } from './feed-cursor.js';
import { FeedHead } from './feed-head.js';

/** Maximum number of concurrent streams and waiting requests of a profile. */
const MOST_OPEN = 100;

/** Entries, and bytes of entries, that a stream reads in one batch. */
const STREAM_LIMIT = 100;
const STREAM_BYTES = 128 * 1024;

/** Milliseconds between comments in a stream, which show both sides that the connection still works. */
const HEARTBEAT = 15_000;
/** Milliseconds between checks of the credential of a stream. */
const CHECK = 1_000;
/** Milliseconds in which the rest of an ending stream can be read. */
const LAST_WORDS = 500;

/** Readers of the change log that wait for new entries. */
@Injectable()
export class FeedReaders {
  private readonly open = new Map<string, number>();

  constructor(
    @Inject(ChangeFeed) private readonly feed: ChangeFeed,
    @Inject(FeedHead) private readonly head: FeedHead,
    @Inject(Callers) private readonly callers: Callers,
    @Inject(Database) private readonly db: Database,
  ) {}

  /** Number of streams and waiting requests. */
  get count(): number {
    let count = 0;
    for (const open of this.open.values()) count += open;
    return count;
  }

  /**
   * A page of entries. If there are none, waits for the first.
   * @param wait seconds
   * @throws DomainError too_many_requests
   */
  async page(
    reply: FastifyReply,
    from: FeedPosition,
    filter: FeedFilter & { caller: Caller },
    limit: number,
    wait: number,
  ): Promise<FeedPage> {
    const read = (after: FeedPosition): Promise<FeedPage> =>
      this.db.inTurn(filter.caller.profileId, () => this.feed.read(after, filter, limit));
    let page = await read(from);
    if (wait === 0 || page.entries.length > 0) return page;
    const leave = this.enter(filter.caller, reply);
    const deadline = Date.now() + wait * 1000;
    const over = new AbortController();
    const timeIsUp = sleep(wait * 1000, undefined, { signal: over.signal, ref: false }).catch(() => {});
    while (page.entries.length === 0 && Date.now() < deadline && !leave.isOver && !this.head.isClosing) {
      const entries = page.hasMore ? undefined : this.head.after(page.end);
      if (entries === undefined || entries.some((entry) => wants(filter, entry))) {
        page = await read(page.end);
      } else if (entries.length > 0) {
        page = { ...page, end: entries.at(-1)! };
      }
      if (page.entries.length === 0 && !page.hasMore) {
        await Promise.race([this.head.next(), timeIsUp]);
      }
    }
    over.abort();
    leave();
    // The credential may have ended meanwhile.
    await this.assertSame(reply.request, filter.caller);
    return page;
  }

  /**
   * The text of a stream of server-sent events, which ends when the client leaves, when the caller's credential or rights change,
   * and when the service stops.
   * @throws DomainError too_many_requests
   */
  stream(reply: FastifyReply, from: FeedPosition, filter: FeedFilter & { caller: Caller }): AsyncGenerator<string> {
    const leave = this.enter(filter.caller, reply);
    const checks = setInterval(() => void this.isSame(reply.request, filter.caller).then(end), CHECK);
    const end = (isSame: boolean): void => {
      if (isSame) return;
      clearInterval(checks);
      leave();
      // A client that does not read would not see the end of the stream either.
      setTimeout(() => reply.raw.destroy(), LAST_WORDS).unref();
    };
    whenFinished(reply, () => clearInterval(checks));
    return this.events(reply, leave, from, filter);
  }

  private async *events(
    reply: FastifyReply,
    leave: Leave,
    from: FeedPosition,
    filter: FeedFilter & { caller: Caller },
  ): AsyncGenerator<string> {
    let position = from;
    let told = from;
    let commented = Date.now();
    // An id without data, so that a client which loses the connection before the first entry can resume here.
    yield `: connected\nid: ${cursorText(from)}\n\n`;
    while (!leave.isOver && !this.head.isClosing) {
      const known = this.head.after(position);
      const after = position;
      const read = () => this.feed.read(after, filter, STREAM_LIMIT, STREAM_BYTES);
      const page = known ? undefined : await this.db.inTurn(filter.caller.profileId, read);
      const entries = page?.entries ?? known!.filter((entry) => wants(filter, entry));
      position = page?.end ?? known!.at(-1) ?? position;
      if (entries.length > 0 && !(await this.isSame(reply.request, filter.caller))) return;
      for (const entry of entries) {
        yield eventText(entry);
        told = entry;
      }
      if (Date.now() - commented >= HEARTBEAT) {
        // The cursor moves past entries that this reader does not see.
        yield position === told ? ': still here\n\n' : `: still here\nid: ${cursorText(position)}\n\n`;
        told = position;
        commented = Date.now();
      }
      if (!page?.hasMore) await this.head.next();
    }
  }

  /**
   * Refuses a caller who has used up the streams and waiting requests, before anything is read.
   * @throws DomainError too_many_requests
   */
  assertRoom({ profileId }: Caller): void {
    if ((this.open.get(profileId) ?? 0) >= MOST_OPEN) {
      throw new DomainError(
        'too_many_requests',
        `Your profile already has ${MOST_OPEN} open streams and waiting requests. End one of them first`,
        { headers: { 'retry-after': '5' } },
      );
    }
  }

  private enter(caller: Caller, reply: FastifyReply): Leave {
    this.assertRoom(caller);
    const { profileId } = caller;
    this.open.set(profileId, (this.open.get(profileId) ?? 0) + 1);
    const leaveHead = this.head.join();
    const leave: Leave = Object.assign(
      () => {
        if (leave.isOver) return;
        leave.isOver = true;
        leaveHead();
        const left = this.open.get(profileId)! - 1;
        if (left > 0) this.open.set(profileId, left);
        else this.open.delete(profileId);
      },
      { isOver: false },
    );
    whenFinished(reply, leave);
    return leave;
  }

  /** @throws DomainError unauthenticated, forbidden */
  private async assertSame(request: FastifyRequest, caller: Caller): Promise<void> {
    if (!(await this.isSame(request, caller))) throw new DomainError('unauthenticated');
  }

  /** Whether the credential of a request is still valid and gives the same rights. */
  private async isSame(request: FastifyRequest, caller: Caller): Promise<boolean> {
    try {
      const now = await this.callers.callerOf(request);
      return (
        now !== undefined &&
        now.role === caller.role &&
        now.areas.length === caller.areas.length &&
        now.areas.every((area) => caller.areas.includes(area))
      );
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'unavailable') return false;
      // During an outage of the database, callers keep their rights.
      return true;
    }
  }
}

/** Ends a wait; may be called repeatedly. */
interface Leave {
  (): void;
  isOver: boolean;
}

const eventText = (entry: FeedEntry): string =>
  `id: ${cursorText(entry)}\nevent: ${entry.resource}.${entry.action}\ndata: ${entry.json}\n\n`;
