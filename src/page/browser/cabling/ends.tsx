/* A circuit with both ends, and the power of a rack. */

import { useGet } from '../api.js';
import { Meter } from '../format.js';
import { Linked } from '../names.js';
import type { PanelProps } from '../types.js';
import { Loaded } from '../parts.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Schemas = components['schemas'];
type Termination = Schemas['CircuitTermination'];

/** Both ends of a circuit, side by side. */
export function CircuitEnds({ path }: PanelProps) {
  const loaded = useGet(`${path}/terminations?sort=side&expand=site`);
  const at = `#${path.slice(4)}/terminations`;
  return (
    <section class="card panel" aria-label="Ends">
      <h2>Ends</h2>
      <Loaded from={loaded}>
        {({ data }) => (
          <div class="both-ends">
            {(['A', 'Z'] as const).map((side) => {
              const end = (data as Termination[]).find((one) => one.side === side);
              return (
                <section key={side} aria-label={`End ${side}`}>
                  <h3>{side}</h3>
                  {end ? <End end={end} at={at} /> : <a href={`${at}/new?side=${side}`}>Add end {side}</a>}
                </section>
              );
            })}
          </div>
        )}
      </Loaded>
    </section>
  );
}

function End({ end, at }: { end: Termination; at: string }) {
  const cable = useGet(end.cableId ? `/api/cables/${end.cableId}` : undefined).answer?.data as
    Schemas['Cable'] | undefined;
  const where = end.site ? <Linked resource="sites" {...end.site} /> : <bdi>{end.providerNetwork}</bdi>;
  return (
    <dl class="fields">
      <div>
        <dt>Where</dt>
        <dd>{end.site || end.providerNetwork ? where : <a href={`${at}/${end.id}/edit`}>Say where</a>}</dd>
      </div>
      <div>
        <dt>Plugged into</dt>
        <dd>
          {cable ? (
            <a href={`#/cables/${cable.id}`}>
              <bdi>{cable.aId === end.id ? cable.bName : cable.aName}</bdi>
            </a>
          ) : (
            <a
              href={`#/cables/new?aResource=circuit-terminations&aId=${end.id}`}
              aria-label={`Connect end ${end.side}`}
            >
              Connect
            </a>
          )}
        </dd>
      </div>
      {end.patchPanel && (
        <div>
          <dt>Patch panel</dt>
          <dd>
            <bdi>{end.patchPanel}</bdi>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The feeds of a rack in its elevation: the allocated power of each, and the devices without power. */
export function RackPower({ loaded }: { loaded: ReturnType<typeof useGet> }) {
  const power = loaded.answer?.data as Schemas['RackPower'] | undefined;
  if (power && power.feeds.length === 0 && power.unfed.length === 0) return null;
  return (
    <section aria-label="Power">
      <h3>Power</h3>
      <Loaded from={loaded}>
        {() => (
          <>
            <dl class="fields">
              {power!.feeds.map((feed) => (
                <div key={feed.id} class="wide">
                  <dt>
                    <a href={`#/power-feeds/${feed.id}`}>
                      <bdi>{feed.name}</bdi>
                    </a>
                  </dt>
                  <dd>
                    {feed.utilisation !== null && <Meter value={feed.utilisation} />}{' '}
                    <span class="muted">
                      {feed.allocatedW} W{feed.availableW === null ? '' : ` of ${feed.availableW} W`}
                    </span>
                  </dd>
                </div>
              ))}
            </dl>
            {power!.unfed.length > 0 && (
              <p class="alarm">
                Without power:{' '}
                {power!.unfed.map(({ id, name }, index) => (
                  <>
                    {index > 0 && ', '}
                    <a href={`#/devices/${id}`}>
                      <bdi>{name}</bdi>
                    </a>
                  </>
                ))}
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
