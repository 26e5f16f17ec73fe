import slugify from '@sindresorhus/slugify';
import type { Executor } from '../database/database.js';
import { MAX_LINE } from '../fields/field-types.js';
import type { StoredRecord } from '../fields/record.js';
import { ResourceService, type Columns, type JsonRow } from './resource.service.js';

// Room for the number that tells a slug from its namesakes.
const MAX_BASE = MAX_LINE - 12;

/** Lower-case ASCII with hyphens, or the fallback where a name has nothing that can be written so. */
export function slugOf(name: string, fallback: string): string {
  return slugify(name, { decamelize: false }).slice(0, MAX_BASE).replace(/-+$/, '') || fallback;
}

/** The slug itself where it is free, else with the lowest number from 2 that is. */
export function nextFreeSlug(base: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  if (!used.has(base)) return base;
  let number = 2;
  while (used.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

/** A resource whose slug is made from its name when a create body has none. */
export class SluggedService<T extends StoredRecord & { slug: string | null }> extends ResourceService<T> {
  /** Column that the slug is made from. */
  protected readonly slugSource: string = 'name';

  protected override insert(db: Executor, columns: Columns, body: Partial<T>): Promise<JsonRow> {
    if (columns.slug !== undefined) return super.insert(db, columns, body);
    return db.transaction(async (tx) => {
      const { table } = this.resource;
      const base = slugOf(columns[this.slugSource] as string, table.replaceAll('_', '-'));
      // One at a time for a table, or two records of one name made at once would get the same slug.
      await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${table}.slug`]);
      const taken = await tx.query<{ slug: string }>(
        `SELECT slug FROM ${table} WHERE slug = $1 OR slug LIKE $1 || '-%'`,
        [base],
      );
      const slug = nextFreeSlug(
        base,
        taken.map((row) => row.slug),
      );
      return super.insert(tx, { ...columns, slug }, body);
    });
  }
}
