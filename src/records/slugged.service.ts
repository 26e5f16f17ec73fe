import type { Executor } from '../database/database.js';
import { MAX_LINE } from '../types/text.js';
import type { StoredRecord } from '../fields/record.js';
import { ResourceService, type InsertedRow, type NewRecord, type Returning } from './resource.service.js';

// Room for the number that distinguishes equal slugs.
const MAX_BASE = MAX_LINE - 12;

// Loaded when the first slug is made: it compiles large patterns, which the start does not need.
const load = (): typeof import('@sindresorhus/slugify') => require('@sindresorhus/slugify');

/** A name in lower-case ASCII with hyphens; the fallback if nothing of the name can be written so. */
export function slugOf(name: string, fallback: string): string {
  return load().default(name, { decamelize: false }).slice(0, MAX_BASE).replace(/-+$/, '') || fallback;
}

/**
 * The slug itself if it is free, otherwise with the lowest free number from 2.
 * @param last the last number of each slug: lower ones are not tried again
 */
export function nextFreeSlug(base: string, taken: Iterable<string>, last = new Map<string, number>()): string {
  const used = taken instanceof Set ? (taken as ReadonlySet<string>) : new Set(taken);
  if (!used.has(base)) return base;
  let number = last.get(base) ?? 2;
  while (used.has(`${base}-${number}`)) number++;
  last.set(base, number);
  return `${base}-${number}`;
}

/** A resource whose slug is made from its name when a create body has none. */
export class SluggedService<T extends StoredRecord & { slug: string | null }> extends ResourceService<T> {
  /** Column that the slug is made from. */
  protected readonly slugSource: string = 'name';

  protected override insert(
    db: Executor,
    records: readonly NewRecord<T>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    if (records.every(({ columns }) => columns.slug !== undefined)) return super.insert(db, records, returning);
    return db.transaction(async (tx) => super.insert(tx, await this.withSlugs(tx, records), returning));
  }

  /** The records, with free slugs for those that have none. */
  private async withSlugs(tx: Executor, records: readonly NewRecord<T>[]): Promise<NewRecord<T>[]> {
    const { table } = this.resource;
    const baseOf = ({ columns }: NewRecord<T>): string | undefined =>
      columns.slug === undefined ? slugOf(columns[this.slugSource] as string, table.replaceAll('_', '-')) : undefined;
    const bases = records.map(baseOf);
    // One transaction at a time for a table: otherwise two concurrent records with one name would get the same slug.
    await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${table}.slug`]);
    // One pass over the table, however many slugs are made.
    const stored = await tx.query<{ slug: string }>(
      `SELECT slug FROM ${table} WHERE slug = ANY($1::text[]) OR regexp_replace(slug, '-[0-9]+$', '') = ANY($1::text[])`,
      [[...new Set(bases.filter((base) => base !== undefined))]],
    );
    const taken = new Set(stored.map(({ slug }) => slug));
    for (const { columns } of records) if (typeof columns.slug === 'string') taken.add(columns.slug);
    const last = new Map<string, number>();
    return records.map((record, index) => {
      const base = bases[index];
      if (base === undefined) return record;
      const slug = nextFreeSlug(base, taken, last);
      taken.add(slug);
      return { ...record, columns: { ...record.columns, slug } };
    });
  }
}
