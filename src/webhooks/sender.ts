import { lookup as lookupName, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { isAllowed, literalOf, urlFault, type AddressPolicy } from './address-rules.js';

/** Milliseconds in which an endpoint must answer. */
export const ANSWER_TIMEOUT = 15_000;
/** Most bytes of a response that are read. None of them is kept. */
const MOST_READ = 64 * 1024;
/** Milliseconds that the body of a response may take after its status. */
const BODY_TIMEOUT = 1_000;
/** Milliseconds that an idle connection to an endpoint is kept. */
const IDLE = 5_000;

/** The error of what is not sent because the service sends nothing. */
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

/** Look-ups at once. Each occupies one of the four threads of the process that also hash passwords, however long it takes. */
const LOOKUPS_AT_ONCE = 2;

type Lookup = (name: string, options: { all: true }) => Promise<LookupAddress[]>;

/**
 * Sends POST requests to endpoints. A name is resolved here, and the connection is made to an address that was checked, so a
 * name that leads elsewhere the next time it is asked changes nothing. Redirects are not followed.
 */
export class Sender {
  private readonly agents: { 'http:': HttpAgent; 'https:': HttpsAgent };

  private readonly limit = pLimit(LOOKUPS_AT_ONCE);
  /** Look-ups that have not ended: a name is looked up once for all requests that need it meanwhile. */
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
      // The policy may have become stricter since the webhook was made.
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
        // The status decides. What follows is read only so that the connection can be used again, and the request is not over before:
        // an endpoint has no more connections than requests.
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
    const lookup = this.limit(() => this.lookup(name, { all: true })).finally(() => this.lookups.delete(name));
    this.lookups.set(name, lookup);
    return lookup;
  }
}
