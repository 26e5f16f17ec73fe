/* Scans that have not arrived at the service. The browser stores them until they have. */

import { keep, kept } from '../kept.js';

/** Maximum number of codes in a request. */
const MOST = 1000;

interface Scan {
  id: string;
  code: string;
  /** Place of the scan; null for the place of the stocktake. */
  locationId: string | null;
  /** Key of its first request. A retry with the same key is not a later scan. */
  batch?: string;
}

/** The contents of one request. */
export interface Batch {
  key: string;
  codes: string[];
  locationId: string | null;
}

const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

export class ScanQueue {
  private own: Scan[];
  /** Scans that have arrived. Another window may still have them. */
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

  /** The oldest scans of one request: those that were sent together before, or those of one place. */
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

  /** Removes codes that the service refuses. The others are sent in new requests. */
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

  /** Scans of other windows stay. */
  private store(): void {
    const known = new Set([...this.gone, ...this.own.map(({ id }) => id)]);
    this.storage.keep(this.name, [
      ...this.storage.kept<Scan[]>(this.name, []).filter(({ id }) => !known.has(id)),
      ...this.own,
    ]);
  }
}
