/* A new change set, which is open from then on. */

import { useMemo } from 'preact/hooks';
import { reloadAll, send, useKey } from '../api.js';
import { Form } from '../form.js';
import { capital, creationOf } from '../model.js';
import { Title } from '../parts.js';
import { setPlan } from '../plan.js';
import { go } from '../route.js';
import type { TaskProps, Values } from '../types.js';
import { writable } from '../writing.js';

export function Beginning({ path, collection, query }: TaskProps) {
  const fields = writable(creationOf(collection)!.body);
  const keyOf = useKey();
  const base = useMemo(
    () => Object.fromEntries(fields.flatMap(({ name }) => (query.has(name) ? [[name, query.get(name)]] : []))),
    [],
  );
  const submit = async (body: Values): Promise<void> => {
    const { data } = await send('POST', path, { body, headers: keyOf(body) });
    setPlan({ path: `${path}/${data.id}`, name: data.name });
    reloadAll();
    go(`${path.slice(4)}/${data.id}`);
  };
  const back = `#${path.slice(4)}`;
  return (
    <>
      <Title text="Plan changes" crumbs={[[capital(collection.label), back]]} />
      <p class="about">
        From now on, what you change, create or delete is planned and not done, until the change set is merged.
      </p>
      <Form fields={fields} base={base} label="Start planning" submit={submit} cancel={back} isNew />
    </>
  );
}
