/* A record: its fields, what belongs and refers to it, its pictures, and its history. */

import type { Collection, Operation, Row, Field, Crumb } from './types.js';
import { useState } from 'preact/hooks';
import { queryOf, useGet } from './api.js';
import { Plain, Value, Badge, Time } from './format.js';
import { Deletion, Restoring } from './deletion.js';
import { History, Moments } from './history.js';
import { Impact, isImpact } from './impact.js';
import { List } from './list.js';
import { below, capital, familyOf, fieldsOf, fill, labelOf, may, nameOf } from './model.js';
import { Loaded, Title } from './parts.js';
import { isOffered } from './prepared.js';
import { ReferenceCounts } from './references.js';
import { addressWith } from './route.js';

const TIMES = ['createdAt', 'updatedAt'];
/** Texts from this length on have a row of their own. */
const LONG = 250;

const lastOf = (path: string): string => path.split('/').at(-1)!;

/** @param path of the record in the API */
export function Record({ path, collection, query }: { path: string; collection: Collection; query: URLSearchParams }) {
  const [past, setPast] = useState<string>();
  const get = collection.operations.find((one) => one.method === 'get' && one.path === collection.record);
  const expand = get?.query?.includes('expand') ? collection.expand : undefined;
  const now = useGet(`${path}${queryOf({ expand: expand?.join(',') })}`);
  const then = useGet(past === undefined ? undefined : `${path}${queryOf({ asOf: past })}`);
  const { parts, changes, references } = below(collection);
  const views = collection.operations.filter(
    ({ method, path: at, picture }) => method === 'get' && at !== collection.record && picture !== 'only' && may({}),
  );
  const pictures = collection.operations.filter(({ picture }) => picture);
  const tabs = [
    ['', 'Details'],
    ...parts.map((part) => [lastOf(part.path), capital(labelOf(lastOf(part.path)))]),
    ...views.map((view) => [lastOf(view.path), labelOf(lastOf(view.path))]),
    ...(references ? [['references', 'Refers to it']] : []),
    ...(changes ? [['history', 'History']] : []),
  ];
  const tab = query.get('tab') ?? '';
  if (now.error && [404, 410].includes(now.error.status ?? 0))
    return <Restoring path={path} collection={collection} error={now.error} reload={now.reload} />;
  return (
    <Loaded from={now}>
      {({ data: record }) => (
        <>
          <Title
            text={nameOf(collection, record) || capital(collection.one ?? 'entry')}
            crumbs={crumbsOf(collection, path)}
          >
            {record.status && <Badge value={record.status} />}
            <Actions path={path} collection={collection} record={record} />
          </Title>
          <nav class="tabs" aria-label="Parts of the record">
            {tabs.map(([name, label]) => (
              <a
                href={addressWith(path.slice(4), new URLSearchParams(name ? { tab: name } : {}))}
                aria-current={tab === name ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          {tab === '' && (
            <div class="details">
              <section aria-label="Fields">
                {changes && get?.query?.includes('asOf') && <Moments path={path} past={past} setPast={setPast} />}
                {past ? (
                  <Loaded from={then}>
                    {({ data }) => <Fields collection={collection} record={data} compared={record} />}
                  </Loaded>
                ) : (
                  <Fields collection={collection} record={record} />
                )}
              </section>
              {pictures.length > 0 && (
                <aside aria-label="Pictures">
                  {pictures.map((one) => (
                    <Picture operation={one} path={path} record={record} />
                  ))}
                </aside>
              )}
            </div>
          )}
          {parts.map(
            (part) =>
              tab === lastOf(part.path) && (
                <List key={part.path} path={fill(part.path, path)} collection={part} query={query} within />
              ),
          )}
          {views.map((view) => tab === lastOf(view.path) && <View key={view.id} operation={view} path={path} />)}
          {tab === 'references' && <References path={path} id={record.id} />}
          {tab === 'history' && <History path={path} collection={collection} />}
        </>
      )}
    </Loaded>
  );
}

export function crumbsOf(collection: Collection, path: string): Crumb[] {
  const list = path.split('/').slice(0, -1).join('/');
  const crumbs: Crumb[] = [[familyOf(collection.path) ?? ''], [capital(collection.label), `#${list.slice(4)}`]];
  if (!collection.path.includes('{')) return crumbs;
  const owner = list.split('/').slice(0, -1).join('/');
  return [['Record', `#${owner.slice(4)}`], crumbs[1]].map(([label, address]) => [label, address]);
}

function Actions({ path, collection, record }: { path: string; collection: Collection; record: Row }) {
  const { record: template } = collection;
  const of = (method: string): Operation | undefined =>
    collection.operations.find((one) => one.method === method && one.path === template);
  const owned = new Set(below(collection).parts.map((part) => part.path));
  const others = collection.operations.filter(
    (one) =>
      one.method === 'post' &&
      one.path.startsWith(`${template}/`) &&
      !owned.has(one.path) &&
      !one.path.endsWith('/restore'),
  );
  const at = `#${path.slice(4)}`;
  return (
    <span class="tools">
      {others
        .filter((one) => may(one) && isOffered(one.id, record))
        .map((one) => (
          <a class="button" href={`${at}/do/${one.id}`}>
            {shortOf(one)}
          </a>
        ))}
      {of('patch') && may(of('patch')) && (
        <a class="button" href={`${at}/edit`}>
          Edit
        </a>
      )}
      {of('delete') && may(of('delete')) && (
        <Deletion path={path} collection={collection} record={record} operation={of('delete')!} />
      )}
    </span>
  );
}

/** The name of an action, as short as its path: "Receive" for `/receive`. */
const shortOf = ({ path, summary }: Operation): string => {
  const word = lastOf(path);
  return word.includes('-') ? summary : labelOf(word);
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** @param compared the record as it is now, whose different values are marked */
function Fields({ collection, record, compared }: { collection: Collection; record: Row; compared?: Row }) {
  const fields = fieldsOf(collection.type).filter(({ name, of, type, via }) => {
    const isRelation = type === 'object' && of && fieldsOf(collection.type).some((field) => field.name === `${name}Id`);
    return name !== 'id' && !isRelation && !via && !TIMES.includes(name) && name in record;
  });
  const isFolded = ({ name }: Field): boolean => isEmpty(record[name]) && (!compared || isEmpty(compared[name]));
  const empty = fields.filter(isFolded);
  const differs = (name: string): boolean | undefined =>
    compared && JSON.stringify(record[name]) !== JSON.stringify(compared[name]);
  const item = (field: Field) => (
    <div
      class={`${differs(field.name) ? 'differs' : ''} ${(field.of && field.type === 'array') || String(record[field.name] ?? '').length > LONG ? 'wide' : ''}`}
    >
      <dt title={field.description}>{labelOf(field.name)}</dt>
      <dd>
        <Value field={field} record={record} />
        {differs(field.name) && (
          <span class="now">
            now <Value field={field} record={compared} />
          </span>
        )}
      </dd>
    </div>
  );
  const times = fieldsOf(collection.type).filter(({ name }) => TIMES.includes(name) && name in record);
  return (
    <>
      <dl class="fields">{fields.filter((field) => !isFolded(field)).map(item)}</dl>
      {empty.length > 0 && (
        <details class="empties">
          <summary>
            {empty.length} empty {empty.length === 1 ? 'field' : 'fields'}
          </summary>
          <dl class="fields">{empty.map(item)}</dl>
        </details>
      )}
      <p class="muted times">
        {times.map(({ name }) => (
          <span key={name}>
            {labelOf(name)} <Time value={record[name]} />
          </span>
        ))}
      </p>
    </>
  );
}

function Picture({ operation, path, record }: { operation: Operation; path: string; record: Row }) {
  const [isBroken, setBroken] = useState(false);
  const at = `${fill(operation.path, path)}${operation.picture === 'also' ? '?format=svg' : ''}`;
  const label = labelOf(lastOf(operation.path).replace('.svg', ''));
  if (isBroken) return null;
  return (
    <figure>
      <a href={at} target="_blank" rel="noopener">
        <img
          src={`${at}${at.includes('?') ? '&' : '?'}`.replace(/[?&]$/, '')}
          alt={`${label} of ${record.name ?? 'the record'}`}
          onError={() => setBroken(true)}
        />
      </a>
      <figcaption>{label}</figcaption>
    </figure>
  );
}

function View({ operation, path }: { operation: Operation; path: string }) {
  const loaded = useGet(fill(operation.path, path));
  return (
    <section class="view" aria-label={labelOf(lastOf(operation.path))}>
      <p class="about">{operation.summary}.</p>
      <Loaded from={loaded}>
        {({ data }) => (isImpact(data) ? <Impact data={data} /> : <Plain value={data} type={operation.response} />)}
      </Loaded>
    </section>
  );
}

function References({ path, id }: { path: string; id: string }) {
  const loaded = useGet(`${path}/references?pageSize=50`);
  return <Loaded from={loaded}>{({ data }) => <ReferenceCounts rows={data} id={id} />}</Loaded>;
}
