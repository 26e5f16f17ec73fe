/* All results of a search, in the order of the service, in pages. */

import { queryOf, useAnswer } from './api.js';
import { byName } from './locale.js';
import { Pages } from './table.js';
import { searched, unfolded } from './finding/folding.js';
import { addressOfMatch, kindOf, Match, searchedResources } from './match.js';
import { Loaded, Title, Vacant } from './parts.js';
import { addressWith, changed, go } from './route.js';
import type { Row, Values } from './types.js';

const PAGE_SIZE = 50;

export function Results({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? '';
  const resource = query.get('resource') ?? '';
  const set = (values: Values): void => go(addressWith('/search', changed(query, values)));
  const found = useAnswer(
    q.trim() === ''
      ? undefined
      : `/api/search${queryOf({ q, resource, page: query.get('page'), pageSize: query.get('pageSize') ?? PAGE_SIZE })}`,
    searched,
  );
  return (
    <>
      <Title text={q === '' ? 'Search' : `Search: ${q}`} />
      <div class="bar">
        <label class="control">
          Kind
          <select
            value={resource}
            onChange={({ currentTarget: { value } }) => set({ resource: value, page: undefined })}
          >
            <option value="">Everything</option>
            {searchedResources()
              .map((one) => ({ one, label: kindOf(one) }))
              .toSorted((a, b) => byName(a.label, b.label))
              .map(({ one, label }) => (
                <option key={one} value={one}>
                  {label}
                </option>
              ))}
          </select>
        </label>
      </div>
      {q === '' ? (
        <p class="empty">Enter a text in the search above.</p>
      ) : (
        <Loaded from={found}>
          {(answer) =>
            answer.data.length === 0 ? (
              <Vacant icon="magnifying-glass">
                <p>Nothing found.</p>
              </Vacant>
            ) : (
              <>
                <ul class="card results">
                  {answer.data.map((match: Row) => (
                    <li key={match.id}>
                      <a href={addressOfMatch(match)}>
                        <Match match={match} />
                      </a>
                      {match.addresses?.length > 0 && (
                        <ul aria-label={`Addresses of ${match.name}`}>
                          {match.addresses.map((one: Row) => (
                            <li key={one.id}>
                              <a href={addressOfMatch(one)}>
                                <bdi>{one.name}</bdi>
                              </a>
                            </li>
                          ))}
                        </ul>
                      )}
                    </li>
                  ))}
                </ul>
                <Pages answer={{ ...answer, data: unfolded(answer.data) }} set={set} />
              </>
            )
          }
        </Loaded>
      )}
    </>
  );
}
