import { Inject, Injectable } from '@nestjs/common';
import type { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { Database } from '../database/database.js';
import type { StoredField } from '../fields/field.js';
import { namingOf, relationOf } from '../fields/naming.js';
import { labelOf } from '../fields/record-entity.js';
import { wordsOf } from '../fields/words.js';
import { columnOf, tableOf } from '../lists/record-sql.js';
import { DeliveredResources, type DeliveredResource } from './delivered-resources.js';
import { sentenceOf, type ChangedField } from './text-message.js';

/** Fields of a new record that its message shows. */
const SHOWN_OF_NEW = ['status', 'severity'];
/** Changed fields of a message. More would not fit. */
const MOST_FIELDS = 20;

/** Writes the messages of the format `text`. */
@Injectable()
export class Messages {
  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(DeliveredResources) private readonly delivered: DeliveredResources,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The body for an entry of the change log. @param json the entry */
  async textOf(json: string): Promise<string> {
    const entry = JSON.parse(json) as ChangeLogEntry;
    const { actor, action, resource, recordName, recordId } = entry;
    const delivered = this.delivered.all.get(resource);
    const sentence = sentenceOf({
      actor,
      action,
      kind: delivered ? labelOf(delivered.record) : resource,
      name: recordName ?? recordId,
      fields: delivered ? await this.changedFields(delivered, entry) : [],
      link: action === 'delete' || !delivered ? undefined : this.linkTo(delivered, entry),
    });
    return JSON.stringify({ text: sentence });
  }

  private linkTo({ prefix, infix, owner }: DeliveredResource, { recordId }: ChangeLogEntry): string | undefined {
    const { publicUrl } = this.configuration;
    // The entry of a part does not always name its owner, which is in the path.
    return publicUrl === undefined || owner !== undefined ? undefined : `${publicUrl}${prefix}${infix}${recordId}`;
  }

  private async changedFields(
    { fields }: DeliveredResource,
    { action, before, after }: ChangeLogEntry,
  ): Promise<ChangedField[]> {
    if (action === 'delete') return [];
    const names =
      action === 'create'
        ? SHOWN_OF_NEW.filter((name) => typeof after?.[name] === 'string')
        : Object.keys(after ?? {}).slice(0, MOST_FIELDS);
    const shown: ChangedField[] = [];
    for (const name of names) {
      const field = fields.get(name);
      const text = (value: unknown): Promise<string> => this.textOfValue(field, value);
      shown.push({
        label: wordsOf(field?.references ? relationOf(name) : name),
        from: action === 'create' ? undefined : await text(before?.[name]),
        to: await text(after?.[name]),
      });
    }
    return shown;
  }

  private async textOfValue(field: StoredField | undefined, value: unknown): Promise<string> {
    if (value === null || value === undefined || value === '') return 'nothing';
    if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
    const target = field?.references?.();
    const naming = target && namingOf(target);
    if (!target || !naming) return typeof value === 'object' ? JSON.stringify(value) : String(value);
    const [found] = await this.db.query<{ name: string }>(
      `SELECT ${columnOf(naming)}::text AS name FROM ${tableOf(target)} t WHERE t.id = $1`,
      [value],
    );
    return found?.name ?? 'a deleted record';
  }
}
