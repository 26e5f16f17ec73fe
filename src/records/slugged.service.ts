import { MAX_LINE } from '../fields/types/text.js';
import type { StoredRecord } from '../fields/record.js';
import type { RequestContext } from '../lists/request-context.js';
import type { InsertedRow, NewRecord, Returning } from './record-writer.js';
import { ResourceService } from './resource.service.js';

// Loaded for the first slug, not at startup, because it compiles large patterns.
const load = (): typeof import('@sindresorhus/slugify') => require('@sindresorhus/slugify');

/** A name in lower-case ASCII with hyphens; the fallback if the name has no such characters. */
export function slugOf(name: string, fallback: string): string {
  return (
    load()
      .default(name, { decamelize: false })
      .slice(0, MAX_LINE)
      .replace(/(?<!-)-+$/, '') || fallback
  );
}

/** A resource whose slug is derived from the name if a create body has none. Equal names give equal slugs, which need not be unique. */
export class SluggedService<T extends StoredRecord & { slug: string | null }> extends ResourceService<T> {
  /** Property and column that the slug is made from. */
  protected readonly slugSource: string = 'name';

  protected override insert(
    ctx: RequestContext,
    records: readonly NewRecord<T>[],
    returning: Returning,
  ): Promise<InsertedRow[]> {
    return super.insert(
      ctx,
      records.map((record) => this.withSlug(record)),
      returning,
    );
  }

  private withSlug(record: NewRecord<T>): NewRecord<T> {
    const { columns } = record;
    if (columns.slug !== undefined) return record;
    const slug = slugOf(columns[this.slugSource] as string, this.declared.table.replaceAll('_', '-'));
    return { ...record, columns: { ...columns, slug } };
  }
}
