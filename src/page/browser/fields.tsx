/* The fields of a record in titled groups, on one card. */

import type { Collection, Field, Row } from './types.js';
import { factsOf } from './facts.js';
import { isMoney, Value } from './format.js';
import { groupsOf, shownFields, type Group } from './groups.js';
import { isBlank, labelOf, namingOf } from './model.js';

/** Longer texts get a row of their own. */
const LONG = 250;
/** From this length on, a text has the width of its group. */
const BROAD = 60;

/** A group of one field has no title of its own: the field joins the group before it, or the first one after. */
function withoutSingles(groups: readonly Group[]): Group[] {
  const kept: Group[] = [];
  for (const group of groups) {
    const before = kept.at(-1);
    if (before && (group.fields.length === 1 || before.fields.length === 1))
      kept[kept.length - 1] = { ...before, fields: [...before.fields, ...group.fields] };
    else kept.push(group);
  }
  return kept;
}

interface FieldsProps {
  collection: Collection;
  record: Row;
  /** The current record; different values are marked. */
  compared?: Row;
  /** The names of fields that a panel says. */
  said?: readonly string[];
}

export function Fields({ collection, record, compared, said = [] }: FieldsProps) {
  // The heading has the current name, status and facts, but past states may differ. Past states have no secrets.
  const facts = factsOf(collection, record);
  const inHeading = new Set(['status', namingOf(collection), ...said, ...facts.map(({ name }) => name)]);
  const isShown = ({ name, secret }: Field): boolean => (compared ? !secret : !inHeading.has(name));
  // An amount has its currency beside it.
  const isPriced = Object.keys(record).some((name) => isMoney(name) && !isBlank(record[name]));
  const fields = shownFields(collection, record)
    .filter(isShown)
    .filter(({ name }) => name !== 'currency' || compared || !isPriced);
  const isFolded = ({ name }: Field): boolean => isBlank(record[name]) && (!compared || isBlank(compared[name]));
  const empty = fields.filter(isFolded);
  const differs = (name: string): boolean | undefined =>
    compared && JSON.stringify(record[name]) !== JSON.stringify(compared[name]);
  const widthOf = ({ name, of, type }: Field): string => {
    const { length } = String(record[name] ?? '');
    return (of && type === 'array') || length > LONG ? 'wide' : length > BROAD ? 'broad' : '';
  };
  const item = (field: Field) => (
    <div key={field.name} class={`${differs(field.name) ? 'differs' : ''} ${widthOf(field)}`}>
      <dt title={field.description}>{labelOf(field)}</dt>
      <dd>
        <Value field={field} record={record} />
        {differs(field.name) && (
          <span class="now">
            now <Value field={field} record={compared} />
          </span>
        )}
      </dd>
    </div>
  );
  const filled = fields.filter((field) => !isFolded(field));
  const groups = withoutSingles(groupsOf(collection, filled));
  if (fields.length === 0) return null;
  return (
    <div class="card grouped">
      {groups.map(({ title, fields: own }) => (
        <section key={title} aria-label={title} class={own.some((one) => widthOf(one) === 'wide') ? 'wide' : ''}>
          <h2>{title}</h2>
          <dl class="fields rows-of-fields">{own.map(item)}</dl>
        </section>
      ))}
      {empty.length > 0 && (
        <details class="empties" open={empty.length === fields.length && facts.length === 0}>
          <summary>
            {empty.length} empty {empty.length === 1 ? 'field' : 'fields'}
          </summary>
          <dl class="fields">{empty.map(item)}</dl>
        </details>
      )}
    </div>
  );
}
