/* Scans that have not arrived at the service. They are kept in the browser until they have, whatever happens meanwhile. */

import { keep, kept } from '../kept.js';

/** Codes that one request takes. */
const MOST = 1000;

interface Scan {
  id: string;
  code: string;
  /** Where it was seen; null for where the stocktake counts. */
  locationId: string | null;
  /** Key of the request that it was sent with: sent again with the same one, it is no later scan. */
  batch?: string;
}

/** What one request sends. */
export interface Batch {
  key: string;
  codes: string[];
  locationId: string | null;
}

const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

export class ScanQueue {
  private own: Scan[];
  /** Scans that have arrived: another window may have kept them longer. */
  private readonly gone = new Set<string>();

  /** @param name under which the browser keeps them */
  constructor(
    private readonly name: string,
    private readonly storage = { keep, kept },
  ) {
    this.own = storage.kept<Scan[]>(name, []);
  }

  get codes(): string[] {
    return this.own.map(({ code }) => code);
  }

  add(code: string, locationId: string | null): void {
    this.own.push({ id: newId(), code, locationId });
    this.store();
  }

  /** The oldest scans that one request can send: those that were sent together before, or those of one place. */
  next(): Batch | undefined {
    const [first] = this.own;
    if (!first) return undefined;
    if (first.batch === undefined) {
      const key = newId();
      for (const scan of this.own.slice(0, MOST)) {
        if (scan.batch !== undefined || scan.locationId !== first.locationId) break;
        scan.batch = key;
      }
      this.store();
    }
    const { batch: key, locationId } = first;
    return { key: key!, locationId, codes: this.own.filter(({ batch }) => batch === key).map(({ code }) => code) };
  }

  arrived(key: string): void {
    this.remove(({ batch }) => batch === key);
  }

  /** Takes out codes that the service refuses. The others are sent anew. */
  refuse(key: string, codes: ReadonlySet<string>): void {
    this.remove(({ batch, code }) => batch === key && codes.has(code));
    for (const scan of this.own) if (scan.batch === key) delete scan.batch;
    this.store();
  }

  clear(): void {
    this.remove(() => true);
  }

  private remove(isIt: (scan: Scan) => boolean): void {
    for (const scan of this.own.filter(isIt)) this.gone.add(scan.id);
    this.own = this.own.filter((scan) => !isIt(scan));
    this.store();
  }

  /** What other windows keep stays. */
  private store(): void {
    const known = new Set([...this.gone, ...this.own.map(({ id }) => id)]);
    this.storage.keep(this.name, [
      ...this.storage.kept<Scan[]>(this.name, []).filter(({ id }) => !known.has(id)),
      ...this.own,
    ]);
  }
}
