import type { Readable } from 'node:stream';
import type { SpoolFile } from './spool-file.js';
import { SpooledBody } from './spooled-body.js';

/** Bytes up to which a response is sent as one text. */
export const SHORT = 256 * 1024;

/**
 * Sends responses of any length. A short one is a text. A longer one is written to a temporary file as fast as it is produced, while
 * its client reads from the file. So the producer does not wait for the client, and little is in memory.
 */
export class Spool {
  /** @param waitsForRoom whether a response that has begun may wait for room in the file */
  constructor(
    private readonly file: SpoolFile,
    private readonly waitsForRoom: boolean,
  ) {}

  /**
   * Sends a response that is complete in the file before it begins, because its outcome is known only at the end.
   * @throws DomainError unavailable, and the errors of all texts
   */
  whole(caller: string, texts: AsyncGenerator<string>): Promise<string | Readable> {
    return this.begin(caller, texts, (body, start) => body.complete(start));
  }

  /**
   * @param caller whose share of the file the response takes
   * @param texts of the response. They are ended if the client leaves
   * @returns the body of the response. An error of the texts after the first ones breaks the connection
   * @throws DomainError unavailable, and the error of the first texts
   */
  send(caller: string, texts: AsyncGenerator<string>): Promise<string | Readable> {
    return this.begin(caller, texts, (body, start) => body.begin(start));
  }

  private async begin(
    caller: string,
    texts: AsyncGenerator<string>,
    write: (body: SpooledBody, start: string) => Promise<void>,
  ): Promise<string | Readable> {
    let start = '';
    try {
      while (start.length <= SHORT) {
        const { done, value } = await texts.next();
        if (done) return start;
        start += value;
      }
      const body = new SpooledBody(this.file, caller, texts, this.waitsForRoom);
      await write(body, start);
      return body;
    } catch (error) {
      await texts.return(undefined);
      throw error;
    }
  }
}
