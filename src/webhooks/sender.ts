import { lookup as lookupName, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { FairQueue } from '../http/fair-queue.js';
import { isAllowed, literalOf, urlFault, type AddressPolicy } from './address-rules.js';

/** Timeout in milliseconds of the response of an endpoint. */
export const ANSWER_TIMEOUT = 15_000;
/** Maximum bytes of a response that are read. They are discarded. */
const MOST_READ = 64 * 1024;
/** Timeout in milliseconds of the response body. */
const BODY_TIMEOUT = 1_000;
/** Idle timeout in milliseconds of a connection to an endpoint. */
const IDLE = 5_000;

/** The error of a delivery in a copy that sends nothing. */
export const OUTBOUND_OFF = 'outbound_off';

/** Why a request got no response. */
type SendError = 'address_refused' | 'certificate' | 'connection' | 'name_not_found' | 'timeout' | typeof OUTBOUND_OFF;

export interface SendResult {
  /** Status of the response; undefined if there was none. */
  status?: number;
  error?: SendError;
  /** The header `Retry-After` of the response. */
  retryAfter?: string;
}

class AddressRefused extends Error {}

const ERRORS: Readonly<Record<string, SendError>> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ETIMEDOUT: 'timeout',
};

const isCertificateFault = (code: string): boolean =>
  code.startsWith('CERT_') || code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || /_CERT|_ISSUER/.test(code);

function errorOf(error: Error & { code?: string }): SendError {
  if (error instanceof AddressRefused) return 'address_refused';
  const { code = '' } = error;
  return ERRORS[code] ?? (isCertificateFault(code) ? 'certificate' : 'connection');
}

/** Concurrent look-ups. Each one blocks one of the four threads of the process that also hash passwords. */
const LOOKUPS_AT_ONCE = 2;

type Lookup = (name: string, options: { all: true }) => Promise<LookupAddress[]>;

/**
 * Sends POST requests to endpoints. It resolves the name itself and connects to the address that was checked, so DNS rebinding has no
 * effect. Redirects are not followed.
 */
export class Sender {
  private readonly agents: { 'http:': HttpAgent; 'https:': HttpsAgent };

  private readonly queue = new FairQueue(LOOKUPS_AT_ONCE);
  /** Running look-ups. Requests for the same name share one. */
  private readonly lookups = new Map<string, Promise<LookupAddress[]>>();

  /** @param lookup resolves names, as that of `node:dns` does */
  constructor(
    private readonly policy: AddressPolicy,
    private readonly lookup: Lookup = promisify(lookupName),
  ) {
    const options = { keepAlive: true, keepAliveMsecs: IDLE, maxFreeSockets: 32, timeout: ANSWER_TIMEOUT + IDLE };
    this.agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  /** Never rejects. */
  send(address: string, headers: Readonly<Record<string, string>>, body: string): Promise<SendResult> {
    return new Promise((resolve) => {
      const url = new URL(address);
      // The rules may have become stricter since the webhook was created.
      if (urlFault(address, this.policy) !== undefined) {
        resolve({ error: literalOf(url) === undefined ? 'connection' : 'address_refused' });
        return;
      }
      const options: RequestOptions = {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        lookup: this.checked,
      };
      const request: ClientRequest =
        url.protocol === 'https:'
          ? httpsRequest(url, { ...options, agent: this.agents['https:'] })
          : httpRequest(url, { ...options, agent: this.agents['http:'] });
      let answered: SendResult | undefined;
      let timer = setTimeout(() => {
        resolve({ error: 'timeout' });
        request.destroy();
      }, ANSWER_TIMEOUT);
      request.on('error', (error) => resolve(answered ?? { error: errorOf(error) }));
      request.on('close', () => {
        clearTimeout(timer);
        resolve(answered ?? { error: 'connection' });
      });
      request.on('response', (response) => {
        // The status decides. The body is read so that the connection can be reused. The request ends after that, so that an endpoint
        // never has more connections than requests.
        answered = { status: response.statusCode!, retryAfter: response.headers['retry-after'] };
        clearTimeout(timer);
        timer = setTimeout(() => response.destroy(), BODY_TIMEOUT);
        let read = 0;
        response.on('data', (part: Buffer) => {
          read += part.length;
          if (read > MOST_READ) response.destroy();
        });
        response.on('error', () => {});
        response.on('close', () => {
          clearTimeout(timer);
          resolve(answered!);
        });
      });
      request.end(body);
    });
  }

  /** Resolves a name to those of its addresses that webhooks may be sent to. */
  private readonly checked: LookupFunction = (name, options, callback) => {
    this.addressesOf(name).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowed(address, this.policy));
        const [first] = allowed;
        if (!first) callback(new AddressRefused(`${name} leads to no address that webhooks may be sent to`), '', 0);
        else if ((options as { all?: boolean }).all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };

  private addressesOf(name: string): Promise<LookupAddress[]> {
    const underWay = this.lookups.get(name);
    if (underWay) return underWay;
    const lookup = this.queue
      .run(name, () => this.lookup(name, { all: true }))
      .finally(() => this.lookups.delete(name));
    this.lookups.set(name, lookup);
    return lookup;
  }
}
