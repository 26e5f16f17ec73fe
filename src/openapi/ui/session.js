/* The bar above: whose session the browser has, and the forms that begin and end it. */

export const SESSION_CHANGED = 'session-changed';

/** Whose session it is; undefined for nobody. */
let caller;
export const currentCaller = () => caller;

const element = (id) => document.getElementById(id);

const api = (method, path, body) =>
  fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

export async function showSession() {
  const response = await api('GET', '/api/auth/session');
  caller = response.ok ? (await response.json()).data : undefined;
  element('caller').textContent = caller ? `${caller.email}, ${caller.role}` : '';
  element('logout').hidden = !caller;
  element('login').hidden = Boolean(caller);
  window.dispatchEvent(new Event(SESSION_CHANGED));
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

export function startSessionBar() {
  onSubmit('login', (credentials) => api('POST', '/api/auth/login', credentials));
  onSubmit('logout', () => api('POST', '/api/auth/logout'));
  void showSession();
}
