/* The conflicts of a merge: the base value, the current value and its author, and the planned value. */

import { get, reloadAll, send } from '../api.js';
import { Time } from '../format.js';
import { collectionOf, fieldIn, labelOf, oneOf } from '../model.js';
import { Reference } from '../names.js';
import { say, sayRefusal } from '../toasts.js';
import type { Row, Values } from '../types.js';
import { newNamesIn, Planned } from './changes.js';
import { counted, type Change, type Conflict } from './words.js';

type Choice = 'theirs' | 'ours';

/** Whether another user has changed a field, so that one of two values must be chosen. */
const isChoice = ({ kind, field }: Conflict): boolean => kind === 'changed' || (kind === 'gone' && field !== null);

/**
 * Records an operation again, with the current record as its base.
 * @throws Refused
 */
async function solve(path: string, id: string, conflicts: readonly Conflict[], choice: Choice): Promise<void> {
  const { data: operation } = await get(`${path}/operations/${id}`);
  const { op, resource, recordId } = operation as Row;
  const values = { ...operation.data } as Values;
  const isDropped = choice === 'theirs';
  if (isDropped) for (const { field } of conflicts) delete values[field ?? ''];
  const isLeft = op === 'update' ? Object.keys(values).length > 0 : !isDropped;
  const again = op === 'delete' ? { op, resource, recordId } : { op, resource, recordId, data: values };
  const operations = [{ op: 'delete', id }, ...(isLeft ? [{ op: 'create', data: again }] : [])];
  await send('POST', `${path}/operations/bulk`, { body: { operations } });
}

interface ConflictsProps {
  /** Path of the change set. */
  path: string;
  conflicts: readonly Conflict[];
  changes: readonly Change[];
  mayWrite: boolean;
}

export function Conflicts({ path, conflicts, changes, mayWrite }: ConflictsProps) {
  const byOperation = new Map<string, Conflict[]>();
  for (const one of conflicts) byOperation.set(one.operationId, [...(byOperation.get(one.operationId) ?? []), one]);
  const names = newNamesIn(changes);
  return (
    <section class="card panel conflicting" aria-label="Conflicts">
      <h2>
        Conflicts
        <span class="count bad">{conflicts.length}</span>
      </h2>
      <p class="muted">Nothing can be merged until they are solved.</p>
      <ul class="delta">
        {[...byOperation].map(([id, own]) => (
          <OfOperation
            key={id}
            path={path}
            id={id}
            conflicts={own}
            op={changes.find((one) => one.id === id)?.op ?? 'update'}
            names={names}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
    </section>
  );
}

/** A message of the service, with the page's name of the field. */
const inWords = (resource: string, field: string | null | undefined, message = ''): string =>
  field && message.startsWith(`${field} `)
    ? `${labelOf(fieldIn(resource, field))}${message.slice(field.length)}`
    : message;

interface OfOperationProps {
  path: string;
  id: string;
  op: string;
  conflicts: readonly Conflict[];
  names: ReadonlyMap<string, string>;
  mayWrite: boolean;
}

function OfOperation({ path, id, op, conflicts, names, mayWrite }: OfOperationProps) {
  const [{ resource, recordId } = {} as Partial<Conflict>] = conflicts;
  const chosen = conflicts.filter(isChoice);
  const acting = (work: Promise<unknown>, said: string): void =>
    void work.then(() => {
      say(said);
      reloadAll();
    }, sayRefusal);
  const fields = chosen.length > 1 ? ` (${counted(chosen.length, 'field')})` : '';
  const isGone = chosen.some(({ kind }) => kind === 'gone');
  if (resource === undefined || recordId === undefined)
    return <li class="muted">A record that you may not read is in the way.</li>;
  return (
    <li>
      <p class="line">
        <strong>
          {names.has(recordId) ? <bdi>{names.get(recordId)}</bdi> : <Reference resource={resource} id={recordId} />}
        </strong>
        <span class="muted">{oneOf(resource)}</span>
      </p>
      {chosen.length > 0 && <SideBySide resource={resource} conflicts={chosen} names={names} />}
      {conflicts
        .filter((one) => !isChoice(one))
        .map(({ field, message, changedBy, changedAt }, index) => (
          <p key={index} class="alarm">
            {inWords(resource, field, message)}
            {changedBy && (
              <span class="muted">
                {' '}
                · <bdi>{changedBy}</bdi>, <Time value={changedAt} />
              </span>
            )}
          </p>
        ))}
      {mayWrite && (
        <p class="tools">
          {chosen.length > 0 && (
            <button type="button" onClick={() => acting(solve(path, id, chosen, 'theirs'), 'Theirs is kept')}>
              Keep theirs{fields}
            </button>
          )}
          {chosen.length > 0 && !isGone && (
            <button type="button" onClick={() => acting(solve(path, id, chosen, 'ours'), 'Ours is kept')}>
              Keep ours{fields}
            </button>
          )}
          {chosen.length === 0 && (
            <button
              type="button"
              onClick={() => acting(send('DELETE', `${path}/operations/${id}`), 'The change is taken out')}
            >
              Take it out
            </button>
          )}
          {op !== 'delete' && !names.has(recordId) && collectionOf(resource)?.path.includes('{') === false && (
            <a class="button" href={`#${collectionOf(resource)!.path.slice(4)}/${recordId}/edit`}>
              Plan it otherwise
            </a>
          )}
        </p>
      )}
    </li>
  );
}

/** The three values of each field beside each other. */
function SideBySide({
  resource,
  conflicts,
  names,
}: {
  resource: string;
  conflicts: readonly Conflict[];
  names: ReadonlyMap<string, string>;
}) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Versions">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">When it was planned</th>
            <th scope="col">Theirs, now</th>
            <th scope="col">Ours, planned</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ field: name, base, current, proposed, changedBy, changedAt, message }) => {
            const field = name ? fieldIn(resource, name) : undefined;
            if (!field)
              return (
                <tr key="">
                  <th scope="row">The record</th>
                  <td colspan={3}>
                    {message} <By who={changedBy} at={changedAt} />
                  </td>
                </tr>
              );
            return (
              <tr key={name}>
                <th scope="row">{labelOf(field)}</th>
                <td>
                  <Planned field={field} value={base} names={names} />
                </td>
                <td class="mark">
                  <Planned field={field} value={current} names={names} /> <By who={changedBy} at={changedAt} />
                </td>
                <td class="mark">
                  <Planned field={field} value={proposed} names={names} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const By = ({ who, at }: { who?: string | null; at?: string | null }) =>
  who ? (
    <span class="muted">
      <bdi>{who}</bdi>, <Time value={at} />
    </span>
  ) : null;
