/* Creating a record. */

import { useMemo, useState } from 'preact/hooks';
import { newKey, reloadAll, send } from './api.js';
import { Form, writable } from './form.js';
import { capital, fill, nameOf } from './model.js';
import { Title } from './parts.js';
import { crumbsOf } from './record.js';
import { go } from './route.js';
import { Issued, secretsOf } from './secret.js';
import { say } from './toasts.js';
import type { Collection, Row } from './types.js';

/** @param query values that the form begins with: `siteId=…` */
export function Creation({
  path,
  collection,
  query,
}: {
  path: string;
  collection: Collection;
  query: URLSearchParams;
}) {
  const operation = collection.operations.find((one) => one.method === 'post' && one.path === collection.path)!;
  const fields = writable(operation.body);
  const [made, setMade] = useState<Row>();
  const key = useMemo(newKey, []);
  const isPart = collection.path.includes('{');
  const segments = path.slice(4).split('/');
  const back = isPart ? `${segments.slice(0, -1).join('/')}?tab=${segments.at(-1)}` : path.slice(4);
  const base = useMemo(() => {
    const given = fields.filter(({ name }) => query.has(name)).map(({ name }) => [name, query.get(name)]);
    return Object.fromEntries([
      ...fields.filter((field) => field.default !== undefined).map((field) => [field.name, field.default]),
      ...given,
    ]);
  }, []);
  const submit = async (body: object): Promise<void> => {
    const { data, etag } = await send('POST', path, {
      body,
      headers: operation.idempotent ? { 'idempotency-key': key } : {},
    });
    reloadAll();
    const address = collection.record ? fill(collection.record, `${path}/${data.id}`).slice(4) : undefined;
    if (secretsOf(operation.response, collection).length > 0) return setMade(data);
    const removal = collection.operations.find((one) => one.method === 'delete' && one.path === collection.record);
    say(`${capital(collection.one ?? 'entry')} ${nameOf(collection, data)} created`, {
      address: address && `#${address}`,
      undo:
        removal && address
          ? async () => {
              await send('DELETE', `/api${address}`, {
                headers: removal.conditional && etag ? { 'if-match': etag } : {},
              });
              go(back);
              reloadAll();
            }
          : undefined,
    });
    // Who adds a part goes on with its owner, and perhaps with the next part.
    go(isPart || !address ? back : address);
  };
  if (made)
    return (
      <Issued
        title={`${capital(collection.one ?? 'entry')} created`}
        record={made}
        secrets={secretsOf(operation.response, collection)}
        back={`${path.slice(4)}/${made.id}`}
      />
    );
  return (
    <>
      <Title
        text={operation.summary}
        crumbs={isPart ? crumbsOf(collection, `${path}/new`) : [[capital(collection.label), `#${back}`]]}
      />
      <Form fields={fields} base={base} label="Create" submit={submit} cancel={`#${back}`} />
    </>
  );
}
