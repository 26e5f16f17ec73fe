/* A record: its fields, its parts and references, its pictures, and its history. */

import type { ComponentChildren, FunctionComponent } from 'preact';
import type { Collection, Operation, Row, Crumb } from './types.js';
import { useRef, useState } from 'preact/hooks';
import { queryOf, useGet } from './api.js';
import { AtOnceOf } from './at-once.js';
import { Plain, State } from './format.js';
import { actionsOn, wordOf } from './commands.js';
import { Deletion, Restoring } from './deletion.js';
import { copy } from './copying.js';
import { Facts } from './facts.js';
import { Fields } from './fields.js';
import { BringBack, History, Moments } from './history.js';
import { Icon } from './icon.js';
import { Impact } from './impact.js';
import { List } from './list.js';
import { below, capital, familyOf, fieldsOf, fill, labelOf, may, nameOf, operationOn, partLabel } from './model.js';
import { onDemand } from './on-demand.js';
import { Failure, Loaded, Title } from './parts.js';
import { PANELS } from './panels.js';
import { isOffered } from './prepared.js';
import { ReferenceCounts } from './references.js';
import { addressWith } from './route.js';

const lastOf = (path: string): string => path.split('/').at(-1)!;

/** @param path of the record in the API */
export function Record({ path, collection, query }: { path: string; collection: Collection; query: URLSearchParams }) {
  const [past, setPast] = useState<string>();
  const get = operationOn(collection, 'get');
  const expand = get?.query?.includes('expand') ? collection.expand : undefined;
  const now = useGet(`${path}${queryOf({ expand: expand?.join(',') })}`);
  const then = useGet(past === undefined ? undefined : `${path}${queryOf({ asOf: past })}`);
  const { parts, changes, references } = below(collection);
  const views = collection.operations.filter(
    (one) => one.method === 'get' && one.path !== collection.record && one.picture !== 'only' && may(one),
  );
  const isMoving =
    !!operationOn(collection, 'patch')?.area && fieldsOf(collection.type).some(({ name }) => name === 'status');
  const own = PANELS.filter(({ of }) => of?.includes(collection.path.slice(4)) ?? isMoving);
  const isShown = ({ path: at }: Pick<Operation, 'path'>): boolean =>
    own.some(({ shows }) => shows?.includes(lastOf(at)));
  const pictures = collection.operations.filter((one) => one.picture && !isShown(one));
  const tabs = [
    ['', 'Details'],
    ...parts.filter((part) => !isShown(part)).map((part) => [lastOf(part.path), partLabel(lastOf(part.path))]),
    ...views.filter((view) => !isShown(view)).map((view) => [lastOf(view.path), partLabel(lastOf(view.path))]),
    ...(references ? [['references', 'Used by']] : []),
    ...(changes ? [['history', 'History']] : []),
  ];
  const tab = query.get('tab') ?? '';
  const panels = (place: string) => own.filter((one) => one.place === place);
  const Whole = own.find((one) => one.tab === tab)?.view;
  if (now.error)
    return [404, 410].includes(now.error.status ?? 0) ? (
      <Restoring path={path} collection={collection} error={now.error} reload={now.reload} />
    ) : (
      <>
        <Title text={capital(collection.one ?? 'entry')} crumbs={crumbsOf(collection, path)} />
        <Failure error={now.error} retry={now.reload} />
      </>
    );
  return (
    <Loaded from={now}>
      {({ data: record }) => (
        <>
          <Title
            text={nameOf(collection, record) || capital(collection.one ?? 'entry')}
            crumbs={crumbsOf(collection, path)}
            meta={<Facts path={path} collection={collection} record={record} />}
          >
            {record.status && <State value={record.status} />}
            <Actions path={path} collection={collection} record={record}>
              {panels('actions').map(({ view: Panel }, index) => (
                <Panel key={index} path={path} collection={collection} record={record} />
              ))}
            </Actions>
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
              <div class="main-column">
                {panels('above').map(({ view: Panel }, index) => (
                  <Panel key={index} path={path} collection={collection} record={record} />
                ))}
                <section aria-label="Fields">
                  {changes && get?.query?.includes('asOf') && (
                    <Moments path={path} past={past} setPast={setPast}>
                      {past && then.answer && (
                        <BringBack path={path} collection={collection} record={record} values={then.answer.data} />
                      )}
                    </Moments>
                  )}
                  {past ? (
                    <Loaded from={then}>
                      {({ data }) => <Fields collection={collection} record={data} compared={record} />}
                    </Loaded>
                  ) : (
                    <Fields collection={collection} record={record} said={own.flatMap(({ says = [] }) => says)} />
                  )}
                </section>
                {panels('below').map(({ view: Panel }, index) => (
                  <Panel key={index} path={path} collection={collection} record={record} />
                ))}
              </div>
              {(pictures.length > 0 || panels('beside').length > 0) && (
                <aside aria-label="Beside it">
                  {panels('beside').map(({ view: Panel }, index) => (
                    <Panel key={index} path={path} collection={collection} record={record} />
                  ))}
                  {pictures.map((one) => (
                    <Picture operation={one} path={path} record={record} />
                  ))}
                </aside>
              )}
              {panels('wide').map(({ view: Panel }, index) => (
                <div key={index} class="wide-panel">
                  <Panel path={path} collection={collection} record={record} />
                </div>
              ))}
            </div>
          )}
          {tab !== '' && Whole && <Whole path={path} collection={collection} record={record} isWhole />}
          {parts.map(
            (part) =>
              tab === lastOf(part.path) &&
              !Whole && <List key={part.path} path={fill(part.path, path)} collection={part} query={query} within />,
          )}
          {views.map((view) => tab === lastOf(view.path) && <View key={view.id} operation={view} path={path} />)}
          {tab === 'references' && <References path={path} id={record.id} />}
          {tab === 'history' && <History path={path} collection={collection} record={record} />}
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
  return [['Back', `#${owner.slice(4)}`], crumbs[1]].map(([label, address]) => [label, address]);
}

function Actions({
  path,
  collection,
  record,
  children,
}: {
  path: string;
  collection: Collection;
  record: Row;
  children: ComponentChildren;
}) {
  const removal = operationOn(collection, 'delete');
  const others = actionsOn(collection).filter(({ id }) => isOffered(id, record));
  const at = `#${path.slice(4)}`;
  return (
    <span class="tools">
      {children}
      <AtOnceOf operations={others} />
      {others.map((one) => (
        <a class="button" href={`${at}/do/${one.id}`}>
          {wordOf(one)}
        </a>
      ))}
      {may(operationOn(collection, 'patch')) && (
        <a class="button primary" href={`${at}/edit`}>
          <Icon name="pencil-square" />
          Edit
        </a>
      )}
      {removal && may(removal) && <Deletion path={path} collection={collection} record={record} operation={removal} />}
      <RecordMenu record={record} />
    </span>
  );
}

/** Rarely used items of a record. */
function RecordMenu({ record }: { record: Row }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const copyAnd = (text: string, said: string) => (): void => {
    menu.current!.open = false;
    void copy(text, said);
  };
  return (
    <details class="menu" ref={menu} onKeyDown={({ key }) => key === 'Escape' && (menu.current!.open = false)}>
      <summary class="button" aria-label="More">
        <Icon name="ellipsis-horizontal" />
      </summary>
      <div class="choices-of">
        <button type="button" onClick={copyAnd(record.id, 'Id copied')}>
          <Icon name="clipboard" />
          Copy id
        </button>
        <button type="button" onClick={copyAnd(location.href, 'Link copied')}>
          <Icon name="clipboard" />
          Copy link
        </button>
      </div>
    </details>
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
        <img src={at} alt={`${label} of ${record.name ?? 'the record'}`} onError={() => setBroken(true)} />
      </a>
      <figcaption>{label}</figcaption>
    </figure>
  );
}

/** The presentation of some responses about a record, by the last part of their path. */
const VIEWS: Readonly<Record<string, FunctionComponent<{ path: string }>>> = {
  card: onDemand(() => import('./card/card.js').then((one) => one.Card)),
  impact: Impact,
};

function View({ operation, path }: { operation: Operation; path: string }) {
  const name = lastOf(operation.path);
  const Own = VIEWS[name];
  const at = fill(operation.path, path);
  return (
    <section class="view" aria-label={labelOf(name)}>
      <p class="about">{capital(operation.summary.replace(/^(?:List|Read) /, ''))}.</p>
      {Own ? <Own path={at} /> : <AsItIs path={at} type={operation.response} />}
    </section>
  );
}

const AsItIs = ({ path, type }: { path: string; type?: string }) => (
  <Loaded from={useGet(path)}>{({ data }) => <Plain value={data} type={type} />}</Loaded>
);

function References({ path, id }: { path: string; id: string }) {
  const loaded = useGet(`${path}/references?pageSize=50`);
  return <Loaded from={loaded}>{({ data }) => <ReferenceCounts rows={data} ids={[id]} />}</Loaded>;
}
