/* Forms, from the bodies of operations: to create, to change, and for every other action. */

import type { Collection, Operation, Field, Row, Values, Parts, Answer, FieldFault, Fault, Crumb } from './types.js';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { newKey, reloadAll, send, useGet } from './api.js';
import { Plain, Value } from './format.js';
import { Input } from './inputs.js';
import { capital, fieldsOf, fill, labelOf, nameOf } from './model.js';
import { Dialog, Loaded, Title } from './parts.js';
import { go, guard } from './route.js';
import { crumbsOf } from './record.js';
import { PREPARED } from './prepared.js';

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** What is left out of a body: fields that nobody filled in, in the rows of its lists too. */
const filled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined && one !== '')
      .map(([name, one]) => [name, filled(one)]),
  );
};

const isIn = (fields: Field[], { field }: FieldFault): boolean =>
  fields.some(({ name }) => field === name || field.startsWith(`${name}[`) || field.startsWith(`${name}.`));

/**
 * @param base values that the form begins with
 * @param submit takes what was filled in, and throws Refused
 * @param onStale takes what was filled in, if somebody else has changed the record
 */
function Form({
  fields,
  base,
  label,
  submit,
  cancel,
  parts,
  onStale,
  rows: given,
  isPartial = false,
}: {
  fields: Field[];
  base: Values;
  label: string;
  submit: (body: Values) => Promise<void>;
  cancel: string;
  parts?: Parts;
  onStale?: (mine: Values) => Promise<void>;
  rows?: Values;
  isPartial?: boolean;
}) {
  const [values, setValues] = useState<Values>(given ?? base);
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const isTouched = !same(values, base);
  useEffect(() => {
    guard(isTouched ? () => confirm('Leave without saving what you typed?') : undefined);
    return () => guard(undefined);
  }, [isTouched]);
  useEffect(() => {
    if (error) summary.current?.focus();
  }, [error]);
  const changes = Object.fromEntries(
    fields.filter(({ name }) => !same(values[name], base[name])).map(({ name }) => [name, values[name] ?? null]),
  );
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    guard(undefined);
    try {
      await submit(isPartial ? changes : (filled(values) as Values));
    } catch (problem) {
      const refused = problem as Fault;
      guard(isTouched ? () => confirm('Leave without saving what you typed?') : undefined);
      setBusy(false);
      if (refused.status === 412 && onStale) await onStale(changes).catch((other) => setError(other as Fault));
      // The dialog that logs in again says why, and the form stays as it is.
      else if (refused.status !== 401) setError(refused);
    }
  };
  const faults = error?.details ?? [];
  const others = faults.filter((fault) => !isIn(fields, fault));
  const ordered = [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
  return (
    <form class="form" novalidate onSubmit={save}>
      {error && (
        <div class="failure" role="alert" tabindex={-1} ref={summary}>
          <p>
            {faults.length > others.length
              ? `${faults.length === 1 ? 'One field needs' : `${faults.length} fields need`} another look.`
              : `${error.message}${/[.!?]$/.test(error.message) ? '' : '.'}`}
          </p>
          {others.length > 0 && (
            <ul>
              {others.map(({ field, message }) => (
                <li>
                  <strong>{labelOf(field)}</strong> {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <div class="inputs">
        {ordered.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={values[field.name]}
            set={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            faults={faults}
            parts={parts}
            record={values}
          />
        ))}
      </div>
      <p class="tools submit">
        <button class="primary" disabled={isBusy}>
          {isBusy ? 'Saving …' : label}
        </button>
        <a class="button" href={cancel}>
          Cancel
        </a>
      </p>
    </form>
  );
}

const writable = (type: string | undefined): Field[] => fieldsOf(type).filter(({ readOnly }) => !readOnly);

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
  const base = useMemo(() => {
    const given = fields.filter(({ name }) => query.has(name)).map(({ name }) => [name, query.get(name)]);
    return Object.fromEntries([
      ...fields.filter((field) => field.default !== undefined).map((field) => [field.name, field.default]),
      ...given,
    ]);
  }, []);
  const submit = async (body: Values): Promise<void> => {
    const { data } = await send('POST', path, {
      body,
      headers: operation.idempotent ? { 'idempotency-key': key } : {},
    });
    const secrets = fieldsOf(operation.response).filter(
      ({ name }) => !fieldsOf(collection.type).some((field) => field.name === name),
    );
    if (secrets.length > 0 && operation.response !== collection.type) setMade(data);
    else go(collection.record ? fill(collection.record, `${path}/${data.id}`).slice(4) : path.slice(4));
  };
  if (made)
    return (
      <Result
        title={`${capital(collection.one ?? 'entry')} created`}
        data={made}
        type={operation.response}
        back={`#${path.slice(4)}/${made.id}`}
      />
    );
  return (
    <>
      <Title text={operation.summary} crumbs={[[capital(collection.label), `#${path.slice(4)}`]]} />
      <Form fields={fields} base={base} label="Create" submit={submit} cancel={`#${path.slice(4)}`} />
    </>
  );
}

/** The response of an action. A secret in it is shown only once. */
function Result({ title, data, type, back }: { title: string; data: any; type?: string; back: string }) {
  return (
    <>
      <Title text={title} />
      <p class="about">The response of the service. A secret in it is shown only once.</p>
      <Plain value={data} type={type} />
      <p>
        <a class="button primary" href={back}>
          Continue
        </a>
      </p>
    </>
  );
}

export function Edit({ path, collection }: { path: string; collection: Collection }) {
  const loaded = useGet(path);
  // A form that somebody types in stays, whatever is loaded anew.
  const first = useRef<Answer | undefined>(undefined);
  if (loaded.answer && !first.current) first.current = loaded.answer;
  if (!first.current) return <Loaded from={loaded}>{() => null}</Loaded>;
  return <Editing path={path} collection={collection} first={first.current} />;
}

function Editing({ path, collection, first }: { path: string; collection: Collection; first: Answer }) {
  const operation = collection.operations.find((one) => one.method === 'patch' && one.path === collection.record)!;
  const fields = writable(operation.body);
  const pick = (record: Row): Values =>
    Object.fromEntries(fields.filter(({ name }) => name in record).map(({ name }) => [name, record[name]]));
  const [base, setBase] = useState<{ values: Values; etag?: string; turn: number; given?: Values }>({
    values: pick(first.data),
    etag: first.etag,
    turn: 0,
  });
  const [stale, setStale] = useState<{ mine: Values; theirs: Row; etag?: string }>();
  const [related, setRelated] = useState<Answer['related']>([]);
  const back = `#${path.slice(4)}`;
  const headers: Record<string, string> = operation.conditional && base.etag ? { 'if-match': base.etag } : {};
  const submit = async (body: Values): Promise<void> => {
    const answer = Object.keys(body).length > 0 ? await send('PATCH', path, { body, headers }) : { related: [] };
    if (answer.related.length > 0) setRelated(answer.related);
    else go(back);
    reloadAll();
  };
  const onStale = async (mine: Values): Promise<void> => {
    const { data, etag } = await send('GET', path);
    setStale({ mine, theirs: data, etag });
  };
  const continueWith = (kept: Values): void => {
    if (!stale) return;
    const values = pick(stale.theirs);
    setBase({ values, etag: stale.etag, turn: base.turn + 1, given: { ...values, ...kept } });
    setStale(undefined);
  };
  const crumbs: Crumb[] = [...crumbsOf(collection, path), [nameOf(collection, first.data), back]];
  if (related.length > 0)
    return (
      <>
        <Title text="Saved" crumbs={crumbs} />
        <p class="about">The change is saved. It affects:</p>
        <ul class="related">
          {related.map((one) => (
            <li>
              <a href={`#${one.path.slice(4)}`}>{one.title}</a>
            </li>
          ))}
        </ul>
        <p>
          <a class="button primary" href={back}>
            Continue
          </a>
        </p>
      </>
    );
  return (
    <>
      <Title text={`Edit ${nameOf(collection, first.data)}`} crumbs={crumbs} />
      <Form
        key={base.turn}
        fields={fields}
        base={base.values}
        rows={base.given}
        label="Save"
        submit={submit}
        cancel={back}
        onStale={onStale}
        isPartial
      />
      {stale && (
        <Versions
          fields={fields}
          before={base.values}
          mine={stale.mine}
          theirs={stale.theirs}
          keepMine={() => continueWith(stale.mine)}
          takeTheirs={() => continueWith({})}
        />
      )}
    </>
  );
}

/** Both versions of a record that two people have changed. */
function Versions({
  fields,
  before,
  mine,
  theirs,
  keepMine,
  takeTheirs,
}: {
  fields: Field[];
  before: Values;
  mine: Values;
  theirs: Values;
  keepMine: () => void;
  takeTheirs: () => void;
}) {
  const rows = fields.filter(({ name }) => name in mine || !same(before[name], theirs[name]));
  return (
    <Dialog label="Somebody else has changed it" className="broad">
      <h2>Somebody else has changed it meanwhile</h2>
      <p>Nothing was saved yet. These fields differ:</p>
      <div class="scroll" tabindex={0} role="region" aria-label="Versions">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">When you began</th>
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((field) => (
              <tr>
                <th scope="row">{labelOf(field.name)}</th>
                <td>
                  <Value field={field} value={before[field.name]} />
                </td>
                <td class={field.name in mine ? 'mark' : ''}>
                  <Value field={field} value={field.name in mine ? mine[field.name] : before[field.name]} />
                </td>
                <td class={same(before[field.name], theirs[field.name]) ? '' : 'mark'}>
                  <Value field={field} value={theirs[field.name]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="tools">
        <button type="button" class="primary" autofocus onClick={keepMine}>
          Go on with my values
        </button>
        <button type="button" onClick={takeTheirs}>
          Take theirs
        </button>
      </p>
      <p class="hint">In both cases you return to the form. Nothing is saved until you save it.</p>
    </Dialog>
  );
}

/** An action on a record or on a list, such as receiving an order. */
export function Action({
  path,
  collection,
  operation,
}: {
  path: string;
  collection: Collection;
  operation: Operation;
}) {
  const isOfRecord =
    operation.path.includes('{') && !operation.path.startsWith(`${collection.path}/`)
      ? true
      : operation.path.startsWith(`${collection.record}/`);
  const loaded = useGet(isOfRecord ? path : undefined);
  if (isOfRecord && !loaded.answer) return <Loaded from={loaded}>{() => null}</Loaded>;
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
  const key = useMemo(newKey, []);
  const base = useMemo(
    () =>
      PREPARED[operation.id]?.(record as never) ??
      Object.fromEntries(
        fields.filter((field) => field.default !== undefined).map((field) => [field.name, field.default]),
      ),
    [],
  );
  const parts = useMemo(() => partsOf(record, collection), []);
  const back = `#${path.slice(4)}`;
  const submit = async (body: Values): Promise<void> => {
    const { data } = await send('POST', fill(operation.path, path), {
      body: operation.body ? body : undefined,
      headers: operation.idempotent ? { 'idempotency-key': key } : {},
    });
    reloadAll();
    if (operation.response && operation.response === collection.type) go(back);
    else setDone({ data });
  };
  const title = record ? `${operation.summary}: ${nameOf(collection, record)}` : operation.summary;
  if (done) return <Result title={`Done: ${title}`} data={done.data} type={operation.response} back={back} />;
  return (
    <>
      <Title
        text={title}
        crumbs={
          record
            ? [...crumbsOf(collection, path), [nameOf(collection, record), back]]
            : [[capital(collection.label), back]]
        }
      />
      {operation.description && <p class="about">{operation.description.split('\n\n')[0]}</p>}
      <Form fields={fields} base={base} label={operation.summary} submit={submit} cancel={back} parts={parts} />
    </>
  );
}

/** The parts of a record by the names of their ids: its `items` for `itemId`. */
function partsOf(record: Row | undefined, collection: Collection): Parts {
  if (!record) return {};
  const lists = fieldsOf(collection.type).filter(({ type, of }) => type === 'array' && of);
  return Object.fromEntries(lists.map(({ name }) => [`${name.replace(/s$/, '')}Id`, record[name]]));
}
