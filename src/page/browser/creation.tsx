/* Creating a record. */

import { useMemo, useState } from 'preact/hooks';
import { ifMatch, useKey, queryOf, Refused, reloadAll, send } from './api.js';
import { defaultsOf, Form } from './form.js';
import { writable } from './writing.js';
import { below, capital, creationOf, fieldsOf, fill, manyOf, nameOf, namingOf, operationOn } from './model.js';
import { Title } from './parts.js';
import { planned, queryIn, usePlanOf } from './plan.js';
import { PlannedIn } from './planned-records.js';
import { OPTIONS, PREPARED } from './prepared.js';
import { namesIn } from './ranges.js';
import { BESIDE, SHAPES } from './shapes.js';
import { crumbsOf } from './record.js';
import { go } from './route.js';
import { Issued, secretsOf } from './secret.js';
import { SystemsInput, type System } from './systems-input.js';
import { say } from './toasts.js';
import { TASKS } from './tasks.js';
import { undoOf } from './undo.js';
import type { Collection, Fault, Field, Row, Values } from './types.js';

/**
 * Adds the systems to a new record.
 * @returns why this failed. The end of the session is thrown: after the login the form is sent again with the same key
 */
async function addSystems(path: string, systems: readonly System[]): Promise<string | undefined> {
  const operations = systems.map(({ resource, id }) => ({ op: 'create', data: { resource, recordId: id } }));
  try {
    if (operations.length > 0) await send('POST', `${path}/targets/bulk`, { body: { operations } });
    return undefined;
  } catch (refused) {
    if ((refused as Fault).status === 401) throw refused;
    return (refused as Fault).message;
  }
}

/** The initial value of a field from the address. */
function givenIn(query: URLSearchParams, { name, type }: Field): unknown {
  const text = query.get(name)!;
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

/** Lists whose records are often created in ranges of names. A bracket is never part of such a name. */
const RANGES = /(?:ports|interfaces|racks|power-feeds)$/;

interface CreationProps {
  path: string;
  collection: Collection;
  /** Values that the form begins with: `siteId=…` */
  query: URLSearchParams;
}

export function Creation(props: CreationProps) {
  const Task = TASKS[creationOf(props.collection)!.id];
  return Task ? <Task {...props} record={{ id: '' }} /> : <Plain {...props} />;
}

function Plain({ path, collection, query }: CreationProps) {
  const operation = creationOf(collection)!;
  const fields = writable(operation.body);
  const [made, setMade] = useState<Row>();
  const keyOf = useKey();
  const plan = usePlanOf(operation);
  const isPart = collection.path.includes('{');
  const segments = path.slice(4).split('/');
  const back = isPart ? `${segments.slice(0, -1).join('/')}?tab=${segments.at(-1)}` : path.slice(4);
  const base = useMemo(() => {
    const given = fields.filter(({ name }) => query.has(name)).map((field) => [field.name, givenIn(query, field)]);
    return { ...defaultsOf(fields), ...PREPARED[operation.id]?.({} as never), ...Object.fromEntries(given) };
  }, []);
  const naming = namingOf(collection);
  const isOfRanges = RANGES.test(path);
  // The additions of a new record cannot be planned with it.
  const option = plan ? undefined : OPTIONS[operation.id];
  const [isWith, setWith] = useState(true);
  const [systems, setSystems] = useState<readonly System[]>([]);
  const targets = below(collection).parts.find((part) => part.path.endsWith('/targets'));
  const kinds = fieldsOf(targets && !plan ? creationOf(targets)?.body : undefined).find(
    ({ name }) => name === 'resource',
  )?.values as string[] | undefined;
  const toldPlanned = (what: string): void => {
    planned(plan!, what);
    go(back);
  };
  /** Creates a record for each name of a range, all of them or none. */
  const createAll = async (body: Values, names: string[]): Promise<void> => {
    const operations = names.map((name) => ({ op: 'create', data: { ...body, [naming!]: name } }));
    const sent = { body: { operations }, headers: keyOf(operations) };
    const answer = await send('POST', `${path}/bulk${queryIn(plan)}`, sent);
    if (plan) return toldPlanned(`${names.length} new ${manyOf(collection)}`);
    reloadAll();
    say(`${names.length} ${manyOf(collection)} created`, { address: `#${back}`, undo: undoOf(answer) });
    go(back);
  };
  const submit = async (body: Values): Promise<void> => {
    const meant = naming ? namesIn(body[naming], isOfRanges) : undefined;
    if (meant && 'fault' in meant) {
      const { fault: message } = meant;
      throw new Refused(400, { error: `${naming} ${message}`, details: [{ field: naming!, message }] });
    }
    if (meant) return createAll(body, meant.names);
    const asked = plan ? queryIn(plan) : option && isWith && body[option.needs] ? queryOf({ [option.name]: true }) : '';
    const { data, etag } = await send('POST', `${path}${asked}`, {
      body,
      headers: operation.idempotent ? keyOf(asked, body) : {},
    });
    if (plan) return toldPlanned(`${capital(collection.one ?? 'entry')} ${nameOf(collection, body as Row)}`);
    const fault = await addSystems(`${path}/${data.id}`, systems);
    reloadAll();
    const address = collection.record ? fill(collection.record, `${path}/${data.id}`).slice(4) : undefined;
    if (secretsOf(operation.response, collection).length > 0) return setMade(data);
    const removal = operationOn(collection, 'delete');
    const said = `${capital(collection.one ?? 'entry')} ${nameOf(collection, data)} created`;
    say(fault === undefined ? said : `${said}, but its systems could not be added: ${fault}`, {
      isFault: fault !== undefined,
      address: address && `#${address}`,
      undo:
        removal && address
          ? async () => {
              await send('DELETE', `/api${address}`, { headers: ifMatch(removal, etag) });
              go(back);
              reloadAll();
            }
          : undefined,
    });
    // After adding a part, the user returns to its owner, and may add another part.
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
      <PlannedIn.Provider value={plan}>
        <Form
          fields={fields}
          base={base}
          label={plan ? 'Plan' : 'Create'}
          submit={submit}
          cancel={`#${back}`}
          groups={collection}
          shape={SHAPES[operation.id]}
          beside={BESIDE[operation.id]}
          isNew
          extra={(values) => {
            const meant = naming ? namesIn(values[naming], isOfRanges) : undefined;
            const names = meant && 'names' in meant ? meant.names : undefined;
            const isOptional = option && values[option.needs];
            if (!names && !isOptional && !kinds) return null;
            return (
              <section class="section">
                {kinds && <SystemsInput kinds={kinds} value={systems} set={setSystems} />}
                {isOptional && (
                  <label class="line">
                    <input
                      type="checkbox"
                      checked={isWith}
                      onChange={({ currentTarget: { checked } }) => setWith(checked)}
                    />
                    {option.label}
                  </label>
                )}
                {names && (
                  <p role="status">
                    Creates {names.length} {manyOf(collection)}: <bdi>{names[0]}</bdi> to <bdi>{names.at(-1)}</bdi>
                  </p>
                )}
              </section>
            );
          }}
        />
      </PlannedIn.Provider>
    </>
  );
}
