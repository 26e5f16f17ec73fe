import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mayReadSecrets, type Caller } from './access.js';

const VERSION = 'v1';
const TAG_LENGTH = 16;

type SealedRecord = Record<string, string | null>;

/** Encrypts texts with AES-256-GCM. */
export class SealedBox {
  /** @param key 32 bytes */
  constructor(private readonly key: Buffer) {}

  /** `v1:` and the base64url of nonce, tag and ciphertext. */
  seal(plain: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** @throws if the text was encrypted with another key, or altered */
  open(sealed: string): string {
    const [version, payload] = sealed.split(':');
    if (version !== VERSION || payload === undefined) throw new Error('A sealed text has an unknown format');
    const bytes = Buffer.from(payload, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, 12), { authTagLength: TAG_LENGTH });
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }
}

/** Encrypts values that must not be readable in the database or its dumps. */
export class Secrets extends SealedBox {
  private readonly digestKey: Buffer;
  /** Encrypts the state of a sign-in, which a browser keeps. Its key differs from that of records. */
  readonly signIns: SealedBox;

  /** @param secretKey text of at least 32 characters, the same on every replica */
  constructor(secretKey: string) {
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, 'inventory', purpose, 32));
    super(derive('record secrets'));
    this.digestKey = derive('request digests');
    this.signIns = new SealedBox(derive('sign-in state'));
  }

  /** The JSON text of a record or of an array of records for a caller. Secrets are decrypted for managers and null for others. */
  reveal(json: string, properties: readonly string[], caller: Caller): string {
    if (properties.length === 0) return json;
    const given = JSON.parse(json) as SealedRecord | SealedRecord[];
    for (const record of Array.isArray(given) ? given : [given]) {
      for (const property of properties) {
        const sealed = record[property];
        record[property] = sealed && mayReadSecrets(caller) ? this.open(sealed) : null;
      }
    }
    return JSON.stringify(given);
  }

  /** A keyed digest, to compare texts without storing them. */
  digest(text: string): string {
    return createHmac('sha256', this.digestKey).update(text).digest('base64url');
  }
}
