/* The responsible people for a record, its coverage, and the people to call about it. */

import { useGet } from '../api.js';
import { Day, Time, Word } from '../format.js';
import { labelOf, may } from '../model.js';
import { Linked } from '../names.js';
import type { PanelProps } from '../types.js';
import { Loaded } from '../parts.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Schemas = components['schemas'];
type Named = Schemas['NamedRecord'];
type Person = Schemas['OnCallPerson'];
type Party = Schemas['ResponsibleParty'];
type Step = Schemas['Call']['steps'][number];

const Phone = ({ phone }: { phone: string }) => <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>;

/** A person with contact data. */
export const Reach = ({ id, fullName, phone, email }: Person) => (
  <>
    <Linked resource="people" id={id} name={fullName} /> {phone && <Phone phone={phone} />}
    {!phone && email && <a href={`mailto:${email}`}>{email}</a>}
  </>
);

/** The responsible people, the nearest first, and who is on call for a roster now. */
export function Responsible({ path, record }: PanelProps) {
  const loaded = useGet(`${path}/responsible?pageSize=25`);
  return (
    <section class="card panel" aria-label="Responsible">
      <h2>Responsible</h2>
      <Loaded from={loaded}>
        {({ data }) => (
          <>
            {data.length === 0 && <p class="muted">Nobody is responsible for it or its containers.</p>}
            <ul class="lines">
              {(data as Party[]).map(({ kind, roster, person, via, onCall }, index) => (
                <li key={index}>
                  <span class="main">{person ? <Reach {...person} /> : <bdi>{roster}</bdi>}</span>
                  <span class="aside">
                    <Word value={kind} />
                  </span>
                  {onCall && (
                    <span class="note">
                      {onCall.person ? <Reach {...onCall.person} /> : `Nobody on call: ${labelOf(onCall.reason ?? '')}`}
                    </span>
                  )}
                  {via.id !== record.id && (
                    <span class="note">
                      of <Linked {...via} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}

/** The active coverage of a record, and its end. */
export function Coverage({ path }: PanelProps) {
  const loaded = useGet(`${path}/coverage?pageSize=25`);
  return (
    <section class="card panel" aria-label="Covered by">
      <h2>Covered by</h2>
      <Loaded from={loaded}>
        {({ data }) => {
          const active = (data as { isActive: boolean; kind: string; source: Named; until: string | null }[]).filter(
            ({ isActive }) => isActive,
          );
          return (
            <>
              {active.length === 0 && <p class="muted">No contract, SLA or warranty covers it today.</p>}
              <ul class="lines">
                {active.map(({ kind, source, until }, index) => (
                  <li key={index}>
                    <span class="main">
                      <Linked {...source} />
                    </span>
                    <span class="aside">
                      <Word value={kind} />
                    </span>
                    <span class="note">
                      {until ? (
                        <>
                          until <Day value={until} />
                        </>
                      ) : (
                        'without an end'
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** A vendor to call, with its phone. */
export const VendorOf = ({ vendor }: Pick<Schemas['VendorStep'], 'vendor'>) => (
  <>
    <bdi>{vendor?.name ?? 'A vendor that nobody named'}</bdi> {vendor?.phone && <Phone phone={vendor.phone} />}
  </>
);

/** The contract and the SLA that a vendor is called about. */
export const termsOf = ({ contract, sla }: Pick<Schemas['VendorStep'], 'contract' | 'sla'>): (string | null)[] => [
  contract?.contractNumber ?? contract?.name ?? null,
  sla?.name ?? null,
  sla?.responseTime ?? null,
];

function StepLine({ step }: { step: Step }) {
  if (step.step === 'on_call') {
    const { roster, person, reason, endTime } = step as Schemas['OnCallStep'];
    return (
      <>
        <span class="main">{person ? <Reach {...person} /> : `Nobody: ${labelOf(reason ?? '')}`}</span>
        <span class="note">
          <bdi>{roster}</bdi>
          {endTime && (
            <>
              {' '}
              until <Time value={endTime} />
            </>
          )}
        </span>
      </>
    );
  }
  if (step.step === 'person') {
    const { person, kind } = step as Schemas['PersonStep'];
    return (
      <>
        <span class="main">
          <Reach {...person} />
        </span>
        <span class="note">{labelOf(kind)}</span>
      </>
    );
  }
  if (step.step === 'vendor') {
    const found = step as Schemas['VendorStep'];
    return (
      <>
        <span class="main">
          <VendorOf {...found} />
        </span>
        <span class="note">{[...termsOf(found), found.serialNumber].filter(Boolean).join(' · ')}</span>
      </>
    );
  }
  const { id, name } = step as Schemas['RunbookStep'];
  const isRunbook = step.step === 'runbook';
  return (
    <>
      <span class="main">
        <Linked resource={isRunbook ? 'runbooks' : 'known-issues'} id={id} name={name} />
      </span>
      <span class="note">
        {isRunbook ? 'Runbook' : ((step as Schemas['KnownIssueStep']).workaround ?? 'Known issue')}
      </span>
    </>
  );
}

/** The people to call about a record now, in order; for sessions that may know. */
export function WhomToCall({ path, collection }: PanelProps) {
  const mayKnow = may(collection.operations.find((one) => one.path === `${collection.record}/call`));
  const loaded = useGet(mayKnow ? `${path}/call` : undefined);
  if (!mayKnow) return null;
  return (
    <section class="card panel first" aria-label="Whom to call">
      <h2>Whom to call</h2>
      <Loaded from={loaded}>
        {({ data }) => (
          <>
            {data.steps.length === 0 && <p class="muted">No contact is known.</p>}
            <ol class="lines">
              {(data.steps as Step[]).map((step, index) => (
                <li key={index}>
                  <StepLine step={step} />
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  );
}
