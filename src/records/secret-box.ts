import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';

/** Encrypts what must not be readable in the database or its dumps, with AES-256-GCM. */
export class SecretBox {
  private readonly key: Buffer;
  private readonly digestKey: Buffer;

  /** @param secretKey text of at least 32 characters, the same on every replica */
  constructor(secretKey: string) {
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, 'inventory', purpose, 32));
    this.key = derive('record secrets');
    this.digestKey = derive('request digests');
  }

  /** `v1:` and the base64url of nonce, tag and ciphertext. */
  seal(plain: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** @throws when the text was sealed with another key or altered */
  open(sealed: string): string {
    const [version, payload] = sealed.split(':');
    if (version !== VERSION || payload === undefined) throw new Error('A stored secret has an unknown format');
    const bytes = Buffer.from(payload, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }

  /** Keyed digest: tells whether two texts are the same without giving either away. */
  digest(text: string): string {
    return createHmac('sha256', this.digestKey).update(text).digest('base64url');
  }
}
