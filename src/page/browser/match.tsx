/* A record that a search has found. */

import { capital, collectionAt, fieldIn, labelOf, lower, oneOf, resolve } from './model.js';
import { Beside } from './names.js';
import type { Row } from './types.js';

export const kindOf = (resource: string): string => capital(oneOf(resource));

/** The resources whose records the search finds. */
export const searchedResources = (): string[] =>
  (collectionAt('/api/search')?.filters.find(({ name }) => name === 'resource')?.values ?? []) as string[];

/** Where a match leads, if it has a view of its own. */
export const addressOfMatch = ({ path }: Row): string | undefined => (resolve(path) ? `#${path.slice(4)}` : undefined);

const SHOWN = 2;

/**
 * A match: its name or its kind, the text that matched if that is another one, and its kind.
 * @param hasAddresses whether it names the addresses that are folded under it
 */
export const Match = ({ match, hasAddresses }: { match: Row; hasAddresses?: boolean }) => (
  <>
    <span class="found">
      <bdi>{match.name || kindOf(match.resource)}</bdi>
      <Beside resource={match.resource} id={match.id} always />
      {match.field && match.field !== 'name' && (
        <span class="muted">
          {' '}
          by <bdi>{lower(labelOf(fieldIn(match.resource, match.field)))}</bdi>
        </span>
      )}
      {hasAddresses && match.addresses?.length > 0 && (
        <span class="under muted">
          {match.addresses
            .slice(0, SHOWN)
            .map(({ name }: Row) => name)
            .join(', ')}
          {match.addresses.length > SHOWN && ` and ${match.addresses.length - SHOWN} more`}
        </span>
      )}
    </span>
    <span class="chip">{kindOf(match.resource)}</span>
  </>
);
