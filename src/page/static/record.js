/* A record: its fields, what belongs and refers to it, its pictures, and its history. */

import { useState } from './hooks.js';
import { queryOf, useGet } from './api.js';
import { Plain, Value, Badge } from './format.js';
import { Deletion, Restoring } from './deletion.js';
import { History, Moments } from './history.js';
import { html } from './html.js';
import { Impact, isImpact } from './impact.js';
import { List } from './list.js';
import { below, capital, familyOf, fieldsOf, fill, labelOf, may, nameOf } from './model.js';
import { Loaded, Title } from './parts.js';
import { ReferenceCounts } from './references.js';
import { addressWith } from './route.js';

const TIMES = ['createdAt', 'updatedAt'];
/** Texts from this length on have a row of their own. */
const LONG = 250;

/** @param path of the record in the API */
export function Record({ path, collection, query }) {
  const [past, setPast] = useState();
  const get = collection.operations.find((one) => one.method === 'get' && one.path === collection.record);
  const expand = get?.query?.includes('expand') ? collection.expand : undefined;
  const now = useGet(`${path}${queryOf({ expand: expand?.join(',') })}`);
  const then = useGet(past && `${path}${queryOf({ asOf: past })}`);
  const { parts, changes, references } = below(collection);
  const views = collection.operations.filter(
    ({ method, path: at, picture }) => method === 'get' && at !== collection.record && picture !== 'only' && may({}),
  );
  const pictures = collection.operations.filter(({ picture }) => picture);
  const tabs = [
    ['', 'Details'],
    ...parts.map((part) => [part.path.split('/').at(-1), capital(labelOf(part.path.split('/').at(-1)))]),
    ...views.map((view) => [view.path.split('/').at(-1), labelOf(view.path.split('/').at(-1))]),
    ...(references ? [['references', 'Refers to it']] : []),
    ...(changes ? [['history', 'History']] : []),
  ];
  const tab = query.get('tab') ?? '';
  if (now.error && [404, 410].includes(now.error.status))
    return html`<${Restoring} path=${path} collection=${collection} error=${now.error} reload=${now.reload} />`;
  return html`<${Loaded} from=${now}
    >${({ data: record }) => html`
      <${Title}
        text=${nameOf(collection, record) || capital(collection.one ?? 'Entry')}
        crumbs=${crumbsOf(collection, path)}
      >
        ${record.status && html`<${Badge} value=${record.status} />`}
        <${Actions} path=${path} collection=${collection} record=${record} />
      <//>
      <nav class="tabs" aria-label="Parts of the record">
        ${tabs.map(([name, label]) => html`<a href=${addressWith(path.slice(4), name ? new URLSearchParams({ tab: name }) : '')} aria-current=${tab === name ? 'page' : undefined}>${label}</a>`)}
      </nav>
      ${
        tab === '' &&
        html`<div class="details">
          <section aria-label="Fields">
            ${changes && get?.query?.includes('asOf') && html`<${Moments} path=${path} record=${record} past=${past} setPast=${setPast} />`}
            ${past ? html`<${Loaded} from=${then}>${({ data }) => html`<${Fields} collection=${collection} record=${data} compared=${record} />`}<//>` : html`<${Fields} collection=${collection} record=${record} />`}
          </section>
          ${pictures.length > 0 && html`<aside aria-label="Pictures">${pictures.map((one) => html`<${Picture} operation=${one} path=${path} record=${record} />`)}</aside>`}
        </div>`
      }
      ${parts.map((part) => tab === part.path.split('/').at(-1) && html`<${List} key=${part.path} path=${fill(part.path, path)} collection=${part} query=${query} within />`)}
      ${views.map((view) => tab === view.path.split('/').at(-1) && html`<${View} key=${view.id} operation=${view} path=${path} />`)}
      ${tab === 'references' && html`<${References} path=${path} id=${record.id} />`}
      ${tab === 'history' && html`<${History} path=${path} collection=${collection} />`}
    `}<//
  >`;
}

export function crumbsOf(collection, path) {
  const list = path.split('/').slice(0, -1).join('/');
  const crumbs = [[familyOf(collection.path) ?? ''], [capital(collection.label), `#${list.slice(4)}`]];
  if (!collection.path.includes('{')) return crumbs;
  const owner = list.split('/').slice(0, -1).join('/');
  return [['Record', `#${owner.slice(4)}`], crumbs[1]].map(([label, address]) => [label, address]);
}

function Actions({ path, collection, record }) {
  const { record: template } = collection;
  const of = (method) => collection.operations.find((one) => one.method === method && one.path === template);
  const owned = new Set(below(collection).parts.map((part) => part.path));
  const others = collection.operations.filter(
    (one) =>
      one.method === 'post' &&
      one.path.startsWith(`${template}/`) &&
      !owned.has(one.path) &&
      !one.path.endsWith('/restore'),
  );
  const at = `#${path.slice(4)}`;
  return html`<span class="tools">
    ${others.filter(may).map((one) => html`<a class="button" href=${`${at}/do/${one.id}`}>${shortOf(one)}</a>`)}
    ${of('patch') && may(of('patch')) && html`<a class="button" href=${`${at}/edit`}>Edit</a>`}
    ${of('delete') && may(of('delete')) && html`<${Deletion} path=${path} collection=${collection} record=${record} operation=${of('delete')} />`}
  </span>`;
}

/** The name of an action, as short as its path: "Receive" for `/receive`. */
const shortOf = ({ path, summary }) => {
  const word = path.split('/').at(-1);
  return word.includes('-') ? summary : labelOf(word);
};

/** @param compared the record as it is now, whose different values are marked */
function Fields({ collection, record, compared }) {
  const fields = fieldsOf(collection.type).filter(({ name, of, type }) => {
    const isRelation = type === 'object' && of && fieldsOf(collection.type).some((field) => field.name === `${name}Id`);
    return name !== 'id' && !isRelation && !TIMES.includes(name) && name in record;
  });
  const differs = (name) => compared && JSON.stringify(record[name]) !== JSON.stringify(compared[name]);
  const item = (field) =>
    html`<div
      class=${`${differs(field.name) ? 'differs' : ''} ${(field.of && field.type === 'array') || String(record[field.name] ?? '').length > LONG ? 'wide' : ''}`}
    >
      <dt title=${field.description}>${labelOf(field.name)}</dt>
      <dd>
        <${Value}
          field=${field}
          record=${record}
        />${differs(field.name) && html`<span class="now">now <${Value} field=${field} record=${compared} /></span>`}
      </dd>
    </div>`;
  const times = fieldsOf(collection.type).filter(({ name }) => TIMES.includes(name) && name in record);
  return html`<dl class="fields">${fields.map(item)}</dl>
    <dl class="fields faint">${times.map(item)}</dl>`;
}

function Picture({ operation, path, record }) {
  const [isBroken, setBroken] = useState(false);
  const at = `${fill(operation.path, path)}${operation.picture === 'also' ? '?format=svg' : ''}`;
  const label = labelOf(operation.path.split('/').at(-1).replace('.svg', ''));
  if (isBroken) return null;
  return html`<figure>
    <a href=${at} target="_blank" rel="noopener"
      ><img
        src=${`${at}${at.includes('?') ? '&' : '?'}`.replace(/[?&]$/, '')}
        alt=${`${label} of ${record.name ?? 'the record'}`}
        onError=${() => setBroken(true)}
    /></a>
    <figcaption>${label}</figcaption>
  </figure>`;
}

function View({ operation, path }) {
  const loaded = useGet(fill(operation.path, path));
  return html`<section class="view" aria-label=${labelOf(operation.path.split('/').at(-1))}>
    <p class="about">${operation.summary}.</p>
    <${Loaded} from=${loaded}
      >${({ data }) => (isImpact(data) ? html`<${Impact} data=${data} />` : html`<${Plain} value=${data} type=${operation.response} />`)}<//
    >
  </section>`;
}

function References({ path, id }) {
  const loaded = useGet(`${path}/references?pageSize=50`);
  return html`<${Loaded} from=${loaded}>${({ data }) => html`<${ReferenceCounts} rows=${data} id=${id} />`}<//>`;
}
