/* The effects of a change set, record by record. */

import { useState } from 'preact/hooks';
import { Value } from '../format.js';
import { collectionOf, fieldIn, fieldsOf, isBlank, labelOf, nameOf, oneOf } from '../model.js';
import { Linked, New } from '../names.js';
import type { Field, Row } from '../types.js';
import { same } from '../writing.js';
import { groupsOf, headOf, type Change } from './words.js';

/** Properties that do not describe the change of a record. */
const HIDDEN = new Set(['id', 'createdAt', 'updatedAt', 'sortOrder']);
/** Records of a group that are shown at first. */
const SHOWN = 50;

const nameIn = (resource: string, record: Row): string => nameOf(collectionOf(resource) ?? { type: '' }, record);

/** Names of the records that a change set creates, by id. They cannot be looked up. */
export const newNamesIn = (changes: readonly Change[]): ReadonlyMap<string, string> =>
  new Map(
    changes.flatMap(({ op, resource, recordId, after }) =>
      op === 'create' && after ? [[recordId, nameIn(resource, after as Row)] as const] : [],
    ),
  );

/** The changed fields of a record, in the order of the record. */
function changedFields({ resource, before, after }: Change): Field[] {
  const [was, is] = [before, after].map((state) => (state ?? {}) as Row) as [Row, Row];
  const declared = fieldsOf(collectionOf(resource)?.type).map(({ name }) => name);
  const names = new Set([...declared, ...Object.keys(was), ...Object.keys(is)]);
  return [...names]
    .filter((name) => !HIDDEN.has(name) && !same(was[name], is[name]) && !(isBlank(was[name]) && isBlank(is[name])))
    .map((name) => fieldIn(resource, name));
}

/** A value, which may be a record that the change set creates. */
export function Planned({ field, state, value = state?.[field.name], names }: PlannedProps) {
  const isAmong = (id: unknown): id is string => typeof id === 'string' && names.has(id);
  if (field.references && isAmong(value)) return <New name={names.get(value)!} />;
  if (field.references && Array.isArray(value) && value.some(isAmong))
    return (
      <span class="chips">
        {value.map((id: string) => (
          <Planned key={id} field={field} value={id} names={names} />
        ))}
      </span>
    );
  return <Value field={field} record={state ?? undefined} value={value} />;
}
interface PlannedProps {
  field: Field;
  state?: Row | null;
  value?: unknown;
  names: ReadonlyMap<string, string>;
}

/** The record of a change, with a link unless it is new. */
export function Record({ resource, recordId, before, after }: Omit<Change, 'id'>) {
  const name = nameIn(resource, (before ?? after ?? {}) as Row) || oneOf(resource);
  return before ? <Linked resource={resource} id={recordId} name={name} /> : <bdi>{name}</bdi>;
}

interface ChangesProps {
  changes: readonly Change[];
  /** Ids of the operations with conflicts. */
  refused: ReadonlySet<string>;
  /** Removes an operation; undefined if the session may not. */
  takeOut?: (id: string) => void;
}

export function Changes({ changes, refused, takeOut }: ChangesProps) {
  const names = newNamesIn(changes);
  return (
    <>
      {groupsOf(changes).map((group) => (
        <GroupOf key={`${group.op} ${group.resource}`} title={headOf(group)} all={group.changes}>
          {(one) => <One key={one.id} change={one} names={names} isRefused={refused.has(one.id)} takeOut={takeOut} />}
        </GroupOf>
      ))}
    </>
  );
}

function GroupOf({
  title,
  all,
  children,
}: {
  title: string;
  all: readonly Change[];
  children: (one: Change) => preact.ComponentChildren;
}) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <section class="delta-group" aria-label={title}>
      <h3>{title}</h3>
      <ul class="delta">{all.slice(0, shown).map(children)}</ul>
      {all.length > shown && (
        <p class="more">
          <button type="button" class="quiet" onClick={() => setShown(shown + 10 * SHOWN)}>
            {all.length - shown} more
          </button>
        </p>
      )}
    </section>
  );
}

interface OneProps {
  change: Change;
  names: ReadonlyMap<string, string>;
  isRefused: boolean;
  takeOut?: (id: string) => void;
}

function One({ change, names, isRefused, takeOut }: OneProps) {
  const [before, after] = [change.before as Row | null, change.after as Row | null];
  const fields = changedFields(change);
  const name = nameIn(change.resource, before ?? after ?? { id: '' });
  const lines = (
    <ul class="changes">
      {fields.map((field) => (
        <li key={field.name}>
          <span class="field">{labelOf(field)}</span>{' '}
          {change.op === 'update' && (
            <>
              <del>
                <Planned field={field} state={before} names={names} />
              </del>
              <span aria-hidden="true"> → </span>
              <span class="hidden"> becomes </span>
            </>
          )}
          <ins>
            <Planned field={field} state={change.op === 'delete' ? before : after} names={names} />
          </ins>
        </li>
      ))}
    </ul>
  );
  return (
    <li class={isRefused ? 'refused' : undefined}>
      <p class="line">
        <strong>
          <Record {...change} />
        </strong>
        {isRefused && <span class="alarm">Conflict</span>}
        {takeOut && (
          <button
            type="button"
            class="quiet end"
            aria-label={`Take the change of ${name || oneOf(change.resource)} out`}
            title="Take this out of the change set"
            onClick={() => takeOut(change.id)}
          >
            ×
          </button>
        )}
      </p>
      {!before && !after && !isRefused && <p class="muted">You may not read it.</p>}
      {(before || after) && fields.length === 0 && !isRefused && <p class="muted">It is so already.</p>}
      {change.op === 'update' || fields.length < 4 ? (
        lines
      ) : (
        <details>
          <summary>{fields.length} fields</summary>
          {lines}
        </details>
      )}
    </li>
  );
}
