/* The updates of an incident: a composer above a timeline. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { useKey, queryOf, reloadAll, send, useGet } from '../api.js';
import { AtOnce } from '../at-once.js';
import { defaultsOf } from '../form.js';
import { Ago, Properties, State, Word } from '../format.js';
import { labelOfValue } from '../../../fields/labels.js';
import { below, fieldsOf, lower, mayCreate } from '../model.js';
import { ownBody, ownFieldsOf, OwnInputs } from '../own-inputs.js';
import { Failure, Loaded } from '../parts.js';
import { guard } from '../route.js';
import { saveByKey } from '../task.js';
import { say } from '../toasts.js';
import { same } from '../writing.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault, Field, PanelProps, Row, Values } from '../types.js';

type Update = components['schemas']['IncidentUpdate'];

const SHOWN = 50;

export function Updates({ path, collection, record }: PanelProps) {
  const [turn, setTurn] = useState(0);
  const own = useMemo(() => ownFieldsOf('IncidentUpdate'), []);
  const loaded = useGet(`${path}/updates${queryOf({ sort: 'createdAt', order: 'desc', pageSize: SHOWN })}`);
  return (
    <section class="card" aria-label="Updates">
      <h2>Updates {loaded.answer && <span class="count">{loaded.answer.total}</span>}</h2>
      {mayCreate(below(collection).parts.find((part) => part.path.endsWith('/updates'))) && (
        <Composer
          key={turn}
          path={path}
          collection={collection}
          status={record.status}
          done={() => setTurn(turn + 1)}
        />
      )}
      <Loaded from={loaded}>
        {({ data }) => (
          <ol class="timeline">
            {(data as Update[]).map((one) => (
              <li key={one.id}>
                <p class="muted">
                  <bdi>{one.author}</bdi> {one.status && <State value={one.status} />}{' '}
                  {one.severity && <Word value={one.severity} />} <Ago value={one.createdAt} />
                </p>
                <p class="lines">
                  <bdi class="lines">{one.message}</bdi>
                </p>
                {own.some(({ name }) => name in one) && <Properties value={valuesOf(own, one)} type="IncidentUpdate" />}
              </li>
            ))}
            {data.length === 0 && <li class="muted">No update yet.</li>}
          </ol>
        )}
      </Loaded>
    </section>
  );
}

/** The values that a record has of some fields. */
const valuesOf = (fields: readonly Field[], record: Row): Values =>
  Object.fromEntries(fields.filter(({ name }) => name in record).map(({ name }) => [name, record[name]]));

function Composer({
  path,
  collection,
  status,
  done,
}: Omit<PanelProps, 'record'> & { status: string | null; done: () => void }) {
  const [message, setMessage] = useState('');
  const [next, setNext] = useState('');
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const keyOf = useKey();
  const own = useMemo(() => ownFieldsOf('CreateIncidentUpdate'), []);
  const base = useMemo(() => defaultsOf(own), []);
  const [values, setValues] = useState(base);
  const isTouched = message.trim() !== '' || !same(values, base);
  useEffect(() => guard(isTouched ? () => confirm('Leave without posting what you typed?') : undefined), [isTouched]);
  const words = fieldsOf(collection.type).find(({ name }) => name === 'status')?.known ?? [];
  const post = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { message, ...(next && { status: next }), ...ownBody(own, values) };
      await send('POST', `${path}/updates`, { body, headers: keyOf(body) });
      say('Update posted');
      done();
      reloadAll();
    } catch (refused) {
      setBusy(false);
      setError(refused as Fault);
    }
  };
  return (
    <form class="composer" onSubmit={(event) => void post(event)} onKeyDown={saveByKey}>
      {error && <Failure error={error} />}
      <textarea
        aria-label="New update"
        placeholder="What has happened?"
        rows={2}
        dir="auto"
        value={message}
        onInput={({ currentTarget: { value } }) => setMessage(value)}
      />
      <OwnInputs fields={own} values={values} set={setValues} error={error} />
      <p class="tools">
        <select
          aria-label="Status from now on"
          value={next}
          onChange={({ currentTarget: { value } }) => setNext(value)}
        >
          <option value="">{status ? `Still ${lower(labelOfValue(status))}` : 'No other status'}</option>
          {words
            .filter((word) => word !== status)
            .map((word) => (
              <option key={word} value={word}>
                {labelOfValue(word)}
              </option>
            ))}
        </select>
        <button class="primary" disabled={isBusy || message.trim() === ''}>
          Post
        </button>
        <AtOnce />
      </p>
    </form>
  );
}
