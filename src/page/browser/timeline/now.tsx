/* Who is on call now, a card for each roster, with the two weeks ahead below. */

import { State, Time } from '../format.js';
import { Linked } from '../names.js';
import { Reach } from '../responsibility/whom-to-call.js';
import { midnight, READERS } from '../zones.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Row } from '../types.js';
import { Drawn } from './timeline.js';

type OnCall = components['schemas']['OnCall'];

const AHEAD = 14;

export function OnCallNow({ rows }: { rows: readonly Row[] }) {
  const from = midnight(Date.now(), READERS);
  return (
    <>
      <div class="cards">
        {(rows as unknown as OnCall[]).map(({ roster, person, endTime, next }) => (
          <section key={roster} class="card on-call" aria-label={roster}>
            <h2>
              <bdi>{roster}</bdi>
            </h2>
            <p class="who">
              {person ? <Reach {...person} /> : <span class="alarm">Nobody</span>}{' '}
              {person?.status === 'inactive' && <State value="inactive" />}
            </p>
            {endTime && (
              <p class="muted">
                until <Time value={endTime} />
              </p>
            )}
            {next && (
              <p class="muted">
                Then{' '}
                {next.person ? <Linked resource="people" id={next.person.id} name={next.person.fullName} /> : 'nobody'}{' '}
                {!endTime && (
                  <>
                    from <Time value={next.startTime} />
                  </>
                )}
              </p>
            )}
          </section>
        ))}
      </div>
      <h2 class="ahead">
        <a href="#/pictures/on-call">The next two weeks</a>
      </h2>
      <Drawn from={from} to={midnight(from, READERS, AHEAD)} zone={READERS} />
    </>
  );
}
