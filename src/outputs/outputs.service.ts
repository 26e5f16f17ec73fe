import { createHash, hash, type Hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../lists/request-context.js';
import type { Sql } from '../database/sql.js';
import type { TextRow } from '../database/row-stream.js';
import { DocumentReply, matches } from '../http/replies.js';
import { ListStreams, type Reader } from '../lists/list-streams.js';
import { AnsibleInventory, type AnsibleRequest } from './ansible.js';
import { addressRows, zoneAddress, ZoneRecords, type DnsRequest } from './dns.js';
import { hostRows, hostReader, type HostOutputRequest, type OutputHost } from './host-rows.js';
import type { OutputRequest } from './output-parameters.js';
import { digestOf, outputTag, type Output } from './output-document.js';
import { PrometheusTargets, type PrometheusRequest } from './prometheus.js';

/** A statement of rows, and the document that is built from them. */
interface Source<R> {
  /** Each row is the text of a JSON array. */
  rows: Sql;
  read(row: TextRow): R;
  output: Output<R>;
}

/**
 * Outputs for other tools. Each is built from the rows of one statement, and so of one snapshot. It is complete before it is sent,
 * because it can still be refused, and because its entity tag depends on all rows.
 */
@Injectable()
export class OutputsService {
  constructor(@Inject(ListStreams) private readonly streams: ListStreams) {}

  /** @param known `If-None-Match` @throws DomainError unavailable */
  prometheus(ctx: RequestContext, requests: readonly PrometheusRequest[], known?: string): Promise<DocumentReply> {
    return this.ofHosts(ctx, requests, new PrometheusTargets(requests[0]!), known);
  }

  /** @param known `If-None-Match` @throws DomainError conflict, unavailable */
  ansible(ctx: RequestContext, requests: readonly AnsibleRequest[], known?: string): Promise<DocumentReply> {
    return this.ofHosts(ctx, requests, new AnsibleInventory(requests[0]!), known);
  }

  /** @param known `If-None-Match` @throws DomainError unavailable */
  dns(ctx: RequestContext, request: DnsRequest, known?: string): Promise<DocumentReply> {
    const source = { rows: addressRows(ctx, request), read: zoneAddress, output: new ZoneRecords(request) };
    return this.reply(ctx, request, source, known);
  }

  /** @param requests one for each resource. They differ only in filters and order */
  private ofHosts(
    ctx: RequestContext,
    requests: readonly HostOutputRequest[],
    output: Output<OutputHost>,
    known?: string,
  ): Promise<DocumentReply> {
    return this.reply(ctx, requests[0]!, { rows: hostRows(ctx, requests), read: hostReader(ctx), output }, known);
  }

  private async reply<R>(
    { caller, db }: RequestContext,
    request: OutputRequest,
    source: Source<R>,
    known = '',
  ): Promise<DocumentReply> {
    const { rows, output } = source;
    const tagOf = (digest: string): string => outputTag(output.constructor.name, request, digest);
    // A client with the current tag was not refused before: the same request gives the same output for the same rows. `*` is not such a tag.
    if (known !== '' && known.trim() !== '*') {
      const [found] = await db.query<{ digest: string }>(digestOf(rows).unprepared());
      const etag = tagOf(found!.digest);
      if (matches(known, etag)) return new DocumentReply(output.type, etag, undefined);
    }
    const digest = createHash('sha256');
    const body = await this.streams.whole(caller, this.texts(caller, source, digest));
    const etag = tagOf(digest.digest('hex'));
    if (!matches(known, etag)) return new DocumentReply(output.type, etag, body);
    if (typeof body !== 'string') body.destroy();
    return new DocumentReply(output.type, etag, undefined);
  }

  private async *texts<R>(caller: Reader, { rows, read, output }: Source<R>, digest: Hash): AsyncGenerator<string> {
    for await (const batch of this.streams.batches(caller, rows)) {
      let text = '';
      for (const [row] of batch) {
        digest.update(hash('sha256', row!, 'buffer'));
        text += output.add(read(JSON.parse(row!) as TextRow));
      }
      yield text;
    }
    yield* output.rest();
  }
}
