/* Swagger UI of this service: a bar with the session, operations grouped by family and searchable, lists without clutter. */

import { makeCurl } from './curl.js';
import { foldOperators } from './operators.js';
import { showPicture, withoutPaging } from './picture.js';
import { fillBody, offerRecords } from './records.js';
import { outlineOf, resolveAt, withSchemas } from './resolve.js';
import { filterOperations } from './search.js';
import { credentials, currentCaller, SESSION_CHANGED, showSession, startSessionBar } from './session.js';

const FILTER = 'docs.filter';
/** Groups of results are opened up to this many operations, and the first one always. */
const FEW_OPERATIONS = 40;

/** Caches the last result of a function, by its arguments. */
function remembered(make) {
  let last;
  return (...given) => {
    if (!last?.given.every((value, index) => value === given[index])) last = { given, result: make(...given) };
    return last.result;
  };
}

const currentPhrase = (system) => {
  const phrase = system.layoutSelectors.currentFilter();
  return typeof phrase === 'string' ? phrase.trim() : '';
};

/** The displayed groups, their numbers of operations, and whether they are open. Swagger UI would compute this again for each group. */
const found = remembered((system) => {
  const groups = system.specSelectors.taggedOperations();
  let count = 0;
  const opened = new Set();
  groups.forEach((group, tag) => {
    count += group.get('operations').size;
    if (count <= FEW_OPERATIONS || opened.size === 0) opened.add(tag);
  });
  return { tags: groups.keySeq().toList(), count, opened };
});

const shown = (system) => found(system, system.specSelectors.specJson(), system.layoutSelectors.currentFilter());

const familyOf = (system, tag) =>
  system.specSelectors
    .specJson()
    .get('x-tagGroups')
    ?.find((group) => group.get('tags').includes(tag))
    ?.get('name');

const FamilyOperationTag = (Original, system) =>
  function FamilyTag(props) {
    const h = system.React.createElement;
    const { tags } = shown(system);
    const before = tags.get(tags.indexOf(props.tag) - 1);
    const family = familyOf(system, props.tag);
    const isFirst = tags.first() === props.tag || familyOf(system, before) !== family;
    const heading = isFirst && family && h('h2', { className: 'family' }, family);
    return h(system.React.Fragment, null, heading, h(Original, props));
  };

function sentenceOf(count) {
  if (count === 0) return 'Nothing matches. Try fewer words';
  return count === 1 ? '1 operation' : `${count} operations`;
}

/** The messages of webhooks are not operations, and are left out of the results. */
const withoutWebhooks = (Original, system) =>
  function Webhooks(props) {
    return currentPhrase(system.getSystem()) === '' ? system.React.createElement(Original, props) : null;
  };

const SearchField = (system) =>
  function Search() {
    const h = system.React.createElement;
    const phrase = system.layoutSelectors.currentFilter();
    const { count } = shown(system);
    return h(
      'div',
      { className: 'filter-container wrapper' },
      h('input', {
        className: 'operation-filter-input',
        type: 'search',
        placeholder: 'Search operations: devices, receive, GET /api/assets, restore an incident …',
        'aria-label': 'Search operations',
        value: typeof phrase === 'string' ? phrase : '',
        // The function of the whole system. The system that plugins get does not include their wrappers.
        onChange: ({ target }) => system.getSystem().layoutActions.updateFilter(target.value),
      }),
      currentPhrase(system) !== '' && h('p', { className: 'found', role: 'status' }, sentenceOf(count)),
    );
  };

/** Text without Markdown, and without the addresses and quotation marks that Swagger UI would change. */
const MARKED = /[*_`[\]<>#&|\\!~@\n]|\w\.\w|:\/\//;
const isPlain = (text) => text !== '' && !MARKED.test(text);

/** Most descriptions are plain sentences, and each would be parsed as Markdown and then sanitised as HTML. */
const plainMarkdown = (Original, { React }) =>
  function Sentence(props) {
    const { source, className = '' } = props;
    const h = React.createElement;
    if (typeof source !== 'string' || !isPlain(source)) return h(Original, props);
    return h('div', { className: `${className} renderedMarkdown`.trim() }, h('p', null, source));
  };

/** The document, as it came. */
let served;
let hasSchemas = false;

const ServicePlugin = (system) => ({
  fn: { opsFilter: filterOperations },
  components: {
    // The session is a cookie that no page may set. The form for logging in is above.
    authorizeBtn: () => null,
    authorizeOperationBtn: () => null,
    FilterContainer: SearchField(system),
    curl: makeCurl(system, currentCaller),
  },
  wrapComponents: {
    OperationTag: FamilyOperationTag,
    parameters: (Original, wrapping) => fillBody(foldOperators(Original, wrapping), wrapping),
    parameterRow: offerRecords,
    responseBody: showPicture,
    Markdown: plainMarkdown,
    Webhooks: withoutWebhooks,
  },
  statePlugins: {
    spec: {
      wrapActions: {
        executeRequest: (original) => (request) => {
          const mediaType = system.oas3Selectors.responseContentType(request.pathName, request.method);
          return original(withoutPaging(request, mediaType));
        },
        // It would be read as YAML.
        parseToJson: () => (text) => {
          served = JSON.parse(text);
          system.specActions.updateJsonSpec(outlineOf(served));
        },
        requestResolvedSubtree: () => (path) => system.specActions.updateResolvedSubtree(path, resolveAt(served, path)),
      },
      wrapSelectors: {
        // To find this parameter, Swagger UI would combine all of them, several times for each row.
        parameterWithMetaByIdentity: () => (state, pathMethod, parameter) => {
          const meta = state.getIn(['meta', 'paths', ...pathMethod, 'parameters']);
          const key = `${parameter.get('in')}.${parameter.get('name')}`;
          // By the name, or by everything known about the parameter.
          return parameter.merge(meta?.get(key), meta?.get(`${key}.hash-${parameter.hashCode()}`));
        },
      },
    },
    layout: {
      wrapActions: {
        // Swagger UI copies every schema into its model, but only the list below the operations uses them.
        show: (original) => (thing, isShown) => {
          if (isShown && !hasSchemas && thing.join() === 'components,schemas') {
            hasSchemas = true;
            system.specActions.updateJsonSpec(withSchemas(served));
          }
          return original(thing, isShown);
        },
        updateFilter: (original) => (phrase) => {
          localStorage.setItem(FILTER, phrase || '');
          return original(phrase);
        },
      },
      wrapSelectors: {
        isShown: (original) => (_state, thing, isShownAtFirst) => {
          const isFound =
            thing[0] === 'operations-tag' && currentPhrase(system) !== '' && shown(system).opened.has(thing[1]);
          return original(thing, isFound || isShownAtFirst);
        },
      },
    },
  },
});

/** Swagger UI has dark colours, but the page decides when to use them. */
function followColourScheme() {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

const PUBLISHED = '/openapi.json';
/** The document with custom fields. It needs a session. */
const OWN = '/api/openapi.json';

async function hasOwnFields() {
  const response = await fetch('/api/custom-fields?pageSize=1', { headers: credentials() });
  return response.ok && (await response.json()).total > 0;
}

/** Shows the custom fields to logged-in users, if there are any. */
function followSession(ui) {
  let current = PUBLISHED;
  window.addEventListener(SESSION_CHANGED, async () => {
    const url = currentCaller() && (await hasOwnFields()) ? OWN : PUBLISHED;
    if (url === current) return;
    current = url;
    ui.specActions.updateUrl(url);
    ui.specActions.download(url);
  });
}

followColourScheme();
startSessionBar();
window.ui = window.SwaggerUIBundle({
  url: PUBLISHED,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: localStorage.getItem(FILTER) || true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  plugins: [ServicePlugin],
  requestInterceptor(request) {
    Object.assign(request.headers, credentials());
    return request;
  },
  responseInterceptor(response) {
    // A request below may also begin or end the session.
    if (response.status === 401 || /\/api\/auth\/\w+$/.test(response.url)) void showSession();
    return response;
  },
});
followSession(window.ui);
