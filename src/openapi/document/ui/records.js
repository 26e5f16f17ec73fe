/* Ids for "Try it out": a choice of records for each id in a path, and existing ids in the body. */

import { credentials, SESSION_CHANGED } from './session.js';

/** The id in the examples of the document, which stands for any other. */
const EXAMPLE_ID = '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';
const OFFERED = 20;

/** Records to which an action applies, if it does not apply to all. */
const SUITABLE = {
  assignAsset: ({ currentAssignee }) => currentAssignee === null,
  returnAsset: ({ currentAssignee }) => currentAssignee !== null,
  receivePurchaseOrder: ({ status }) => ['ordered', 'partially_received'].includes(status),
};

/** The source of ids in the body of an action: a path, and the id in its response. */
const BODY_IDS = {
  personId: {
    what: 'a person: GET /api/people',
    path: () => '/api/people?pageSize=1',
    pick: ([person]) => person?.id,
  },
  itemId: {
    what: 'an item of the order: GET /api/purchase-orders/{id}',
    path: ({ id }) => (id === undefined || id === EXAMPLE_ID ? undefined : `/api/purchase-orders/${id}`),
    pick: ({ items }) => items.find(({ quantityRemaining }) => quantityRemaining > 0)?.id,
  },
};

const nameOf = (record) =>
  ['name', 'fullName', 'model', 'orderNumber', 'address', 'email', 'recordName']
    .map((key) => record[key])
    .find(Boolean);

async function dataOf(path) {
  const response = await fetch(path, { headers: credentials() });
  const body = await response.json();
  if (response.ok) return body.data;
  throw new Error(response.status === 401 ? 'Log in above to choose one.' : body.error);
}

const newest = (path, more = '') => dataOf(`${path}?sort=createdAt&order=desc&pageSize=${OFFERED}${more}`);

/** Records that were deleted and not restored since. */
async function deleted(path) {
  const resource = path.split('/').at(-1);
  const entries = await newest('/api/change-log', `&action=delete&resource=${resource}`);
  const ids = [...new Set(entries.map(({ recordId }) => recordId))];
  if (ids.length === 0) return [];
  const existing = await dataOf(`${path}?pageSize=${OFFERED}&${ids.map((id) => `id=${id}`).join('&')}`);
  const gone = ids.filter((id) => !existing.some((record) => record.id === id));
  return gone.map((id) => ({ id, name: entries.find(({ recordId }) => recordId === id).recordName }));
}

/** Calls `use` now, and again whenever another session may see other records. */
function useSession(React, use, dependencies) {
  React.useEffect(() => {
    use();
    window.addEventListener(SESSION_CHANGED, use);
    return () => window.removeEventListener(SESSION_CHANGED, use);
  }, dependencies);
}

const valueOf = ({ specSelectors, pathMethod }, parameter) =>
  specSelectors.parameterWithMetaByIdentity(pathMethod, parameter).get('value');

/** A row for an id that is required, and below it the records that it may be the id of; for a choice that is required, one of it. */
export const offerRecords = (Original, { React }) =>
  function OfferingRow(props) {
    const { rawParam, isExecute, onChange } = props;
    const isRequired = isExecute && rawParam.get('required');
    const isId = isRequired && (rawParam.get('in') === 'path' || rawParam.get('name') === 'id');
    const choices = rawParam.getIn(['schema', 'items', 'enum']);
    React.useEffect(() => {
      if (isRequired && choices && !valueOf(props, rawParam))
        onChange(rawParam, [choices.find((one) => one === 'status') ?? choices.get(1)], false);
    }, [isRequired]);
    return React.createElement(
      React.Fragment,
      null,
      React.createElement(Original, props),
      isId && React.createElement(RecordChoice, { React, ...props }),
    );
  };

function RecordChoice({ React, ...props }) {
  const { rawParam, pathMethod, specSelectors, onChange } = props;
  const h = React.createElement;
  const [path, method] = pathMethod;
  const operation = specSelectors.specJson().getIn(['paths', path, method]);
  const operationId = operation.get('operationId');
  const [records, setRecords] = React.useState([]);
  const [message, setMessage] = React.useState('');
  const isInPath = rawParam.get('in') === 'path';
  // Ids in the query are several.
  const value = isInPath ? valueOf(props, rawParam) : [...(valueOf(props, rawParam) ?? [])][0];
  const choose = (id) => onChange(rawParam, isInPath ? id : [id], false);
  const parameters = specSelectors.specResolvedSubtree(['paths', path, method]).get('parameters');
  // The list of the record. The id before it in the path is the chosen one.
  const template = path.slice(0, isInPath ? path.indexOf(`/{${rawParam.get('name')}}`) : path.lastIndexOf('/'));
  const list = template.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(
      valueOf(
        props,
        parameters.find((parameter) => parameter.get('name') === name),
      ) ?? '',
    ),
  );

  const load = async () => {
    try {
      const found = path.endsWith('/restore') ? await deleted(list) : await newest(list);
      const suitable = found.filter(SUITABLE[operationId] ?? (() => true));
      setRecords(suitable);
      setMessage(
        suitable.length > 0 ? '' : `There is none among the newest ${OFFERED} of ${list} that this can be done to.`,
      );
      // Operations that change or delete a record are disabled until one is chosen.
      if (suitable.length > 0 && [EXAMPLE_ID, undefined].includes(value) && ['get', 'post'].includes(method))
        choose(suitable[0].id);
    } catch (error) {
      setRecords([]);
      setMessage(error.message);
    }
  };
  useSession(React, () => void load(), [list]);

  return h(
    'tr',
    { className: 'records' },
    h('td', null),
    h(
      'td',
      null,
      records.length > 0
        ? h(
            'select',
            {
              'aria-label': `Records for ${rawParam.get('name')}`,
              value: records.some(({ id }) => id === value) ? value : '',
              onChange: ({ target }) => choose(target.value),
            },
            h('option', { value: '', disabled: true }, `Choose one of ${list}`),
            records.map((record) => h('option', { key: record.id, value: record.id }, nameOf(record) ?? record.id)),
          )
        : message,
    ),
  );
}

/** Puts existing ids into the example of a body, unless the user has changed it. */
export const fillBody = (Original, { React }) =>
  function FilledParameters(props) {
    const h = React.createElement;
    const { operation, tryItOutEnabled, pathMethod, oas3Selectors, oas3Actions, parameters } = props;
    const [missing, setMissing] = React.useState([]);
    const offered = React.useRef();
    const example = operation.getIn(['requestBody', 'content', 'application/json', 'example']);
    const text = tryItOutEnabled && example ? JSON.stringify(example.toJS(), null, 2) : '';
    const keys = Object.keys(BODY_IDS).filter((key) => text.includes(`"${key}": "${EXAMPLE_ID}"`));
    const path = Object.fromEntries(
      keys.length === 0
        ? []
        : parameters
            .filter((parameter) => parameter.get('in') === 'path')
            .map((parameter) => [parameter.get('name'), valueOf(props, parameter)]),
    );

    const fill = async () => {
      const without = [];
      let filled = text;
      for (const key of keys) {
        const { path: pathOf, pick, what } = BODY_IDS[key];
        const from = pathOf(path);
        const id = from && (await dataOf(from).then(pick, () => undefined));
        if (id) filled = filled.replace(`"${key}": "${EXAMPLE_ID}"`, `"${key}": "${id}"`);
        else without.push(`${key} must be the id of ${what}`);
      }
      setMissing(without);
      const present = oas3Selectors.requestBodyValue(...pathMethod);
      if (keys.length === 0 || (present !== undefined && present !== text && present !== offered.current)) return;
      offered.current = filled;
      oas3Actions.setRequestBodyValue({ value: filled, pathMethod });
    };
    useSession(React, () => void fill(), [text, JSON.stringify(path)]);

    return h(
      React.Fragment,
      null,
      h(Original, props),
      missing.length > 0 && h('p', { className: 'missing-ids' }, `${missing.join('. ')}.`),
    );
  };
