/* Approving or rejecting a change, after showing its effects. */

import { useState } from 'preact/hooks';
import { useGet } from '../api.js';
import { isMadeIn, MOST_CONFLICTS, type Conflict } from '../conflicts.js';
import { labelOf, may, operationOn, typed } from '../model.js';
import { Dialog, Failure, Loaded } from '../parts.js';
import { write, writes } from '../writing.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault, PanelProps } from '../types.js';

type Schemas = components['schemas'];

/** Statuses in which a change waits for somebody to decide. */
const UNDECIDED = new Set(['draft', 'submitted', 'pending', 'review']);
const DECISIONS = [
  { status: 'approved', label: 'Approve', said: 'approved' },
  { status: 'rejected', label: 'Reject', said: 'rejected' },
] as const;

export function Decision({ path, collection, record }: PanelProps) {
  const change = typed<'ChangeRequest'>(record);
  const [chosen, choose] = useState<(typeof DECISIONS)[number]>();
  const [error, setError] = useState<Fault>();
  if (!UNDECIDED.has(change.status) || !may(operationOn(collection, 'patch'))) return null;
  const decide = async (): Promise<void> => {
    try {
      const { status, said } = chosen!;
      await write(path, writes(collection, { status })!, `${change.name} ${said}`, change.updatedAt);
      choose(undefined);
    } catch (refused) {
      setError(refused as Fault);
    }
  };
  return (
    <>
      {DECISIONS.map((one) => (
        <button
          key={one.status}
          type="button"
          onClick={() => {
            setError(undefined);
            choose(one);
          }}
        >
          {one.label}
        </button>
      ))}
      {chosen && (
        <Dialog label={chosen.label} close={() => choose(undefined)}>
          <h2>
            {chosen.label} <bdi>{change.name}</bdi>?
          </h2>
          <Touches path={path} />
          {error && <Failure error={error} />}
          <p class="tools">
            <button type="button" class="primary" autofocus onClick={() => void decide()}>
              {chosen.label}
            </button>
            <button type="button" onClick={() => choose(undefined)}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

const SHOWN = 10;

/** The systems of a change, and its conflicts. */
function Touches({ path }: { path: string }) {
  const targets = useGet(`${path}/targets?pageSize=${SHOWN}`);
  const conflicts = useGet(`${path}/conflicts?pageSize=${MOST_CONFLICTS}`);
  return (
    <>
      <Loaded from={targets}>
        {({ data, total }) => (
          <p>
            {total === 0 ? 'It names no systems.' : 'It touches '}
            {(data as Schemas['ChangeRequestTarget'][]).map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <strong>{name}</strong>
              </span>
            ))}
            {total > SHOWN && ` and ${total - SHOWN} more`}
            {total > 0 && '.'}
          </p>
        )}
      </Loaded>
      <Loaded from={conflicts}>
        {({ data }) => {
          const clashes = (data as Conflict[]).filter((one) => !isMadeIn('change-requests', one));
          return clashes.length === 0 ? (
            <p class="muted">No conflicts.</p>
          ) : (
            <ul class="touched">
              {clashes.slice(0, SHOWN).map((one, index) => (
                <li key={index} class="alarm">
                  {labelOf(one.kind)}
                  {one.other && `: ${one.other.name}`}
                </li>
              ))}
              {clashes.length > SHOWN && <li>and {clashes.length - SHOWN} more</li>}
            </ul>
          );
        }}
      </Loaded>
    </>
  );
}
