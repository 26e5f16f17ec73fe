/* Swagger UI of this service: its session in a bar, operations grouped by family, and a filter that is remembered. */
(() => {
  const FILTER = 'docs.filter';
  const element = (id) => document.getElementById(id);

  const api = (method, path, body) =>
    fetch(path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

  /** Shows whose session the browser has, if any. */
  async function showSession() {
    const response = await api('GET', '/api/auth/session');
    const { data } = response.ok ? await response.json() : {};
    element('caller').textContent = data ? `${data.email}, ${data.role}` : '';
    element('logout').hidden = !data;
    element('login').hidden = Boolean(data);
  }

  /** Sends a form of the bar, and says what was wrong with it. */
  function onSubmit(form, send) {
    element(form).addEventListener('submit', async (event) => {
      event.preventDefault();
      const response = await send(Object.fromEntries(new FormData(event.target)));
      element('message').textContent = response.ok ? '' : (await response.json()).error;
      if (response.ok) event.target.reset();
      await showSession();
    });
  }

  onSubmit('login', (credentials) => api('POST', '/api/auth/login', credentials));
  onSubmit('logout', () => api('POST', '/api/auth/logout'));

  const familyOf = (system, tag) =>
    system.specSelectors
      .specJson()
      .get('x-tagGroups')
      ?.find((group) => group.get('tags').includes(tag))
      ?.get('name');

  /** Tags whose name has the phrase, and of the others the operations that have it in their path, name or summary. */
  function filterOperations(tags, phrase) {
    const words = phrase.toLowerCase();
    const has = (text) => text !== undefined && text.toLowerCase().includes(words);
    return tags
      .map((group, tag) =>
        has(tag)
          ? group
          : group.update('operations', (operations) =>
              operations.filter(
                (entry) =>
                  has(entry.get('path')) ||
                  has(entry.getIn(['operation', 'operationId'])) ||
                  has(entry.getIn(['operation', 'summary'])),
              ),
            ),
      )
      .filter((group) => group.get('operations').size > 0);
  }

  const ServicePlugin = (system) => ({
    fn: { opsFilter: filterOperations },
    components: {
      // The session is a cookie that no page may set: one logs in above.
      authorizeBtn: () => null,
      authorizeOperationBtn: () => null,
    },
    wrapComponents: {
      OperationTag: (Original, { React }) =>
        function FamilyOperationTag(props) {
          const all = system.specSelectors.taggedOperations();
          const phrase = system.layoutSelectors.currentFilter();
          const shown = (typeof phrase === 'string' ? filterOperations(all, phrase) : all).keySeq().toList();
          const before = shown.get(shown.indexOf(props.tag) - 1);
          const family = familyOf(system, props.tag);
          const isFirst = shown.first() === props.tag || familyOf(system, before) !== family;
          const heading = isFirst && family && React.createElement('h2', { className: 'family' }, family);
          return React.createElement(React.Fragment, null, heading, React.createElement(Original, props));
        },
    },
    statePlugins: {
      layout: {
        wrapActions: {
          updateFilter: (original) => (phrase) => {
            localStorage.setItem(FILTER, phrase || '');
            return original(phrase);
          },
        },
      },
    },
  });

  window.ui = window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    filter: localStorage.getItem(FILTER) || true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    plugins: [ServicePlugin],
    responseInterceptor(response) {
      // What is tried out below may begin or end the session too.
      if (response.status === 401 || /\/api\/auth\/\w+$/.test(response.url)) void showSession();
      return response;
    },
  });

  void showSession();
})();
