/* Changing a record, with handling of concurrent changes. */

import { useRef, useState } from 'preact/hooks';
import { ifMatch, reloadAll, send, useGet } from './api.js';
import { Value } from './format.js';
import { Form } from './form.js';
import { same, writable } from './writing.js';
import { labelOf, operationOn, titleOf } from './model.js';
import { Dialog, Loaded, Title } from './parts.js';
import { planned, queryIn, usePending, usePlanOf } from './plan.js';
import { PlannedIn } from './planned-records.js';
import { crumbsOf } from './record.js';
import { go } from './route.js';
import { SHAPES } from './shapes.js';
import { say } from './toasts.js';
import type { Answer, Collection, Crumb, Field, Row, Values } from './types.js';

export function Edit({ path, collection }: { path: string; collection: Collection }) {
  const loaded = useGet(path);
  const pending = usePending(operationOn(collection, 'patch'), path, collection.resource);
  // A form that the user has begun to fill in stays, even after a reload.
  const first = useRef<Answer | undefined>(undefined);
  if (loaded.answer && !first.current) first.current = loaded.answer;
  if (!first.current || !pending) return <Loaded from={loaded}>{() => null}</Loaded>;
  return <Editing path={path} collection={collection} first={first.current} pending={pending} />;
}

function Editing({
  path,
  collection,
  first,
  pending,
}: {
  path: string;
  collection: Collection;
  first: Answer;
  /** Values that are planned already. */
  pending: Values;
}) {
  const operation = operationOn(collection, 'patch')!;
  const fields = writable(operation.body);
  const pick = (record: Row): Values =>
    Object.fromEntries(
      // A custom field without a value is missing in the record, but can be set.
      fields.flatMap(({ name, custom }) => (custom || name in record ? [[name, record[name] ?? null]] : [])),
    );
  const [base, setBase] = useState<{ values: Values; etag?: string; turn: number; given?: Values }>({
    values: pick(first.data),
    etag: first.etag,
    turn: 0,
  });
  const [stale, setStale] = useState<{ mine: Values; theirs: Row; etag?: string }>();
  const [related, setRelated] = useState<Answer['related']>([]);
  const back = `#${path.slice(4)}`;
  const plan = usePlanOf(operation);
  const submit = async (body: Values): Promise<void> => {
    if (Object.keys(body).length === 0) return go(back);
    const answer = await send('PATCH', `${path}${queryIn(plan)}`, { body, headers: ifMatch(operation, base.etag) });
    if (plan) {
      planned(plan, `The change of ${titleOf(collection, first.data)}`);
      return go(back);
    }
    const before = Object.fromEntries(Object.keys(body).map((name) => [name, base.values[name] ?? null]));
    // The former value of an unreadable field, such as a password, cannot be restored. A secret is null without permission to read it.
    const isKnown =
      Object.keys(body).every((name) => name in base.values) &&
      !fields.some(({ name, secret }) => secret && before[name] === null);
    say(`${titleOf(collection, answer.data ?? first.data)} saved`, {
      address: back,
      undo: isKnown
        ? async () => {
            await send('PATCH', path, { body: before, headers: ifMatch(operation, answer.etag) });
            reloadAll();
          }
        : undefined,
    });
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
  const crumbs: Crumb[] = [...crumbsOf(collection, path), [titleOf(collection, first.data), back]];
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
      <Title text={`Edit ${titleOf(collection, first.data)}`} crumbs={crumbs} />
      <PlannedIn.Provider value={plan}>
        <Form
          key={base.turn}
          fields={fields}
          base={base.values}
          rows={base.given}
          pending={pending}
          label={plan ? 'Plan' : 'Save'}
          submit={submit}
          cancel={back}
          onStale={onStale}
          groups={collection}
          shape={SHAPES[operation.id]}
          isPartial
        />
      </PlannedIn.Provider>
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
                <th scope="row">{labelOf(field)}</th>
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
          Continue with my values
        </button>
        <button type="button" onClick={takeTheirs}>
          Take theirs
        </button>
      </p>
      <p class="hint">In both cases you return to the form. Nothing is saved until you save it.</p>
    </Dialog>
  );
}
