/* An action on a record or on a list, such as allocating addresses. */

import { useMemo, useState } from 'preact/hooks';
import { useKey, reloadAll, send, useGet } from './api.js';
import { Plain, Properties } from './format.js';
import { defaultsOf, Form } from './form.js';
import { writable } from './writing.js';
import { capital, fieldsOf, fill, nameOf, titleOf } from './model.js';
import { Loaded, Title } from './parts.js';
import { ACTION_WORDS, PREPARED } from './prepared.js';
import { crumbsOf } from './record.js';
import { go } from './route.js';
import { Issued, secretsOf } from './secret.js';
import { TASKS } from './tasks.js';
import { say } from './toasts.js';
import { undoOf } from './undo.js';
import type { Collection, Operation, Parts, Row, Values } from './types.js';

/** An action on a record or on a list, such as receiving an order. */
export function Action({
  path,
  collection,
  operation,
  query,
}: {
  path: string;
  collection: Collection;
  operation: Operation;
  query: URLSearchParams;
}) {
  const isOfRecord =
    operation.path.includes('{') && !operation.path.startsWith(`${collection.path}/`)
      ? true
      : operation.path.startsWith(`${collection.record}/`);
  const loaded = useGet(isOfRecord ? path : undefined);
  if (isOfRecord && !loaded.answer) return <Loaded from={loaded}>{() => null}</Loaded>;
  const Task = TASKS[operation.id];
  if (Task)
    return <Task path={path} collection={collection} record={loaded.answer?.data ?? { id: '' }} query={query} />;
  return <Acting path={path} collection={collection} operation={operation} record={loaded.answer?.data} />;
}

function Acting({
  path,
  collection,
  operation,
  record,
}: {
  path: string;
  collection: Collection;
  operation: Operation;
  record?: Row;
}) {
  const fields = operation.body ? writable(operation.body) : [];
  const [done, setDone] = useState<{ data: unknown }>();
  const [issued, setIssued] = useState<Row>();
  const keyOf = useKey();
  const base = useMemo(() => PREPARED[operation.id]?.(record as never) ?? defaultsOf(fields), []);
  const parts = useMemo(() => partsOf(record, collection), []);
  const back = `#${path.slice(4)}`;
  const submit = async (body: Values): Promise<void> => {
    const answer = await send('POST', fill(operation.path, path), {
      body: operation.body ? body : undefined,
      headers: operation.idempotent ? keyOf(body) : {},
    });
    const { data } = answer;
    reloadAll();
    const secrets = record ? secretsOf(operation.response, collection) : [];
    const isIssued = data?.id === record?.id && secrets.some(({ name }) => typeof data?.[name] === 'string');
    // New records of an action are reported in place: the addresses of a prefix.
    const made = madeBy(operation, data);
    if (isIssued) return setIssued(data);
    if (operation.response !== collection.type && !made && data) return setDone({ data });
    // Only writes to records of the families can be reverted.
    say(made ?? `${word}: done`, { address: back, undo: operation.area ? undoOf(answer) : undefined });
    go(back);
  };
  const word = ACTION_WORDS[operation.id] ?? operation.summary;
  const title = record ? `${word}: ${titleOf(collection, record)}` : word;
  if (issued)
    return (
      <Issued title={title} record={issued} secrets={secretsOf(operation.response, collection)} back={path.slice(4)} />
    );
  if (done) return <Result title={`Done: ${title}`} data={done.data} type={operation.response} back={back} />;
  return (
    <>
      <Title
        text={title}
        crumbs={
          record
            ? [...crumbsOf(collection, path), [titleOf(collection, record), back]]
            : [[capital(collection.label), back]]
        }
      />
      {operation.description && <p class="about">{operation.description}</p>}
      <Form
        fields={fields}
        base={base}
        label={ACTION_WORDS[operation.id] ?? operation.summary}
        isNew
        submit={submit}
        cancel={back}
        parts={parts}
      />
    </>
  );
}

/** The names of the records that an action has created, if its response has them. */
function madeBy({ list, response }: Operation, data: unknown): string | undefined {
  if (!list || !Array.isArray(data) || !response) return undefined;
  const names = (data as Row[]).map((one) => nameOf({ type: response }, one)).filter((name) => name !== '');
  return names.length > 0 ? `Created: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}` : undefined;
}

/** The parts of a record by the names of their ids: its `items` for `itemId`. */
function partsOf(record: Row | undefined, collection: Collection): Parts {
  if (!record) return {};
  const lists = fieldsOf(collection.type).filter(({ type, of }) => type === 'array' && of);
  return Object.fromEntries(lists.map(({ name }) => [`${name.replace(/s$/, '')}Id`, record[name]]));
}

/** The response of an action. */
function Result({ title, data, type, back }: { title: string; data: any; type?: string; back: string }) {
  return (
    <>
      <Title text={title} />
      {Array.isArray(data) ? <Plain value={data} type={type} /> : <Properties value={data} type={type} />}
      <p>
        <a class="button primary" href={back}>
          Continue
        </a>
      </p>
    </>
  );
}
