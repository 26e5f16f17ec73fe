import { Inject, Injectable } from '@nestjs/common';
import { reading } from '../access/access.js';
import type { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { Database } from '../database/database.js';
import { identifier, raw, sql } from '../database/sql.js';
import { DefinitionStore } from '../fields/custom/definition-store.js';
import type { Class, StoredField } from '../fields/field.js';
import { namingOf, relationOf } from '../fields/naming.js';
import { areaOf, labelOf, namesRepeat } from '../fields/record-entity.js';
import { wordsOf } from '../fields/words.js';
import { besideSql, wholeNameSql } from '../lists/named-sql.js';
import { tableOf } from '../lists/record-sql.js';
import { endName } from '../network/cable/cabled-records.js';
import { DeliveredResources, type DeliveredResource } from './delivered-resources.js';
import { sentenceOf, type ChangedField } from './text-message.js';
import { tellsOfOperations } from './webhook-rules.js';

/** Fields of a new record that its message shows. */
const SHOWN_OF_NEW = ['status', 'severity'];
/** Maximum number of changed fields in a message. */
const MOST_FIELDS = 20;

const DELETED = 'a deleted record';

/** Writes the messages of the format `text`. */
@Injectable()
export class Messages {
  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(DeliveredResources) private readonly delivered: DeliveredResources,
    @Inject(DefinitionStore) private readonly definitions: DefinitionStore,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /**
   * The body for an entry of the change log.
   * @param json the entry
   * @param resources those of the webhook
   */
  async textOf(json: string, resources: readonly string[]): Promise<string> {
    const entry = JSON.parse(json) as ChangeLogEntry;
    const { actor, action, resource } = entry;
    const all = this.delivered.of((await this.definitions.current()).open);
    const delivered = all.get(resource);
    const between = resource === 'cables' ? await this.endsOf(entry) : undefined;
    const sentence = sentenceOf({
      actor,
      action,
      kind: delivered ? labelOf(delivered.record) : resource,
      name: await this.nameOf(entry, delivered, between),
      between,
      fields: delivered ? await this.changedFields(delivered, entry, tellsOfOperations(resources, all)) : [],
      link: action === 'delete' || !delivered ? undefined : this.linkTo(delivered, entry),
    });
    return JSON.stringify({ text: sentence });
  }

  /** The name of the record of an entry. If names often repeat, the distinguishing text is added, from the current record. */
  private async nameOf(
    { recordName, recordId }: ChangeLogEntry,
    delivered: DeliveredResource | undefined,
    between: unknown,
  ): Promise<string | undefined> {
    if (recordName === null) return between ? undefined : recordId;
    if (!delivered || !namesRepeat(delivered.record)) return recordName;
    const { record } = delivered;
    const [found] = await this.db.query<{ beside: string | null }>(
      sql`SELECT ${raw(besideSql(record, 't')!)} AS beside FROM ${identifier(tableOf(record))} t WHERE t.id = ${recordId}`,
    );
    return found?.beside ? `${recordName} · ${found.beside}` : recordName;
  }

  /** The current names of the ends of a cable. The entry of an update does not have them. */
  private async endsOf({ action, recordId, before, after }: ChangeLogEntry): Promise<[string, string] | undefined> {
    const known = action === 'create' ? after : action === 'delete' ? before : undefined;
    const [found] = await this.db.query<{ a: string | null; b: string | null }>(
      known
        ? sql`SELECT ${raw(endName('t.a_id'))} AS a, ${raw(endName('t.b_id'))} AS b FROM (VALUES (${known.aId}::uuid, ${known.bId}::uuid)) t (a_id, b_id)`
        : sql`SELECT ${raw(endName('t.a_id'))} AS a, ${raw(endName('t.b_id'))} AS b FROM cables t WHERE t.id = ${recordId}`,
    );
    return found && (found.a ?? found.b) !== null ? [found.a ?? DELETED, found.b ?? DELETED] : undefined;
  }

  private linkTo({ reached }: DeliveredResource, { recordId }: ChangeLogEntry): string | undefined {
    const { publicUrl } = this.configuration;
    // The entry of a part does not always name its owner, which is in the path.
    if (publicUrl === undefined || !reached || reached.owner !== undefined) return undefined;
    return `${publicUrl}${reached.prefix}${reached.infix}${recordId}`;
  }

  private async changedFields(
    { fields }: DeliveredResource,
    { action, before, after }: ChangeLogEntry,
    tellsOperations: boolean,
  ): Promise<ChangedField[]> {
    if (action === 'delete') return [];
    const names =
      action === 'create'
        ? SHOWN_OF_NEW.filter((name) => typeof after?.[name] === 'string')
        : Object.keys(after ?? {}).slice(0, MOST_FIELDS);
    const shown: ChangedField[] = [];
    for (const name of names) {
      const field = fields.get(name);
      const text = (value: unknown): Promise<string> => this.textOfValue(field, value, tellsOperations);
      shown.push({
        label: fieldLabelOf(name, field),
        from: action === 'create' ? undefined : await text(before?.[name]),
        to: await text(after?.[name]),
      });
    }
    return shown;
  }

  private async textOfValue(field: StoredField | undefined, value: unknown, tellsOperations: boolean): Promise<string> {
    if (value === null || value === undefined || value === '') return 'nothing';
    if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
    const target = field?.references?.();
    const naming = target && namingOf(target);
    if (!target || !naming || (isOfOperations(target) && !tellsOperations))
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    const [found] = await this.db.query<{ name: string }>(
      sql`SELECT ${raw(wholeNameSql(target, 't'))} AS name FROM ${identifier(tableOf(target))} t WHERE t.id = ${value}`,
    );
    return found?.name ?? DELETED;
  }
}

/** Whether the names of records are withheld. A caller without access to operations can create a webhook for other resources. */
function isOfOperations(target: Class): boolean {
  const area = areaOf(target);
  return area !== null && reading(area).area !== undefined;
}

/** What a field is called in a sentence. */
const fieldLabelOf = (name: string, field: StoredField | undefined): string =>
  field?.custom?.definition.label ??
  wordsOf(field?.references && !field.custom ? relationOf(name) : name.replace(/^customFields\./, ''));
