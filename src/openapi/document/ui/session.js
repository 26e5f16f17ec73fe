/* The bar at the top: the current user, and the forms to log in and out. */

export const SESSION_CHANGED = 'session-changed';

/** The current user; undefined for nobody. */
let caller;
export const currentCaller = () => caller;

const element = (id) => document.getElementById(id);
/** The forms in the page. The service leaves out login methods that are not configured. */
const offered = (...ids) => ids.filter((id) => element(id));

/** Kept by this page alone, and only while it is open. */
let token;
/** Headers with the credential: none for a session, whose cookie the browser sends. */
export const credentials = () => (token === undefined ? {} : { Authorization: `Bearer ${token}` });

const api = (method, path, body) =>
  fetch(path, {
    method,
    headers: { ...credentials(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

export async function showSession() {
  const response = await api('GET', '/api/auth/session');
  // An invalid token must not prevent a login.
  if (response.status === 401) token = undefined;
  caller = response.ok ? (await response.json()).data : undefined;
  element('caller').textContent = caller ? `${caller.email}, ${caller.role}` : '';
  element('way').textContent = token === undefined ? 'Logged in as' : 'With a token of';
  element('leave').textContent = token === undefined ? 'Log out' : 'Forget the token';
  element('logout').hidden = !caller;
  for (const way of offered('login', 'sign-in', 'use-token')) element(way).hidden = Boolean(caller);
  window.dispatchEvent(new Event(SESSION_CHANGED));
}

/** Sends a form of the bar, and shows its errors. */
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
  for (const form of offered('login')) onSubmit(form, (given) => api('POST', '/api/auth/login', given));
  onSubmit('use-token', async (given) => {
    token = given.token.trim();
    // An invalid header value could not even be sent.
    if (!/^[!-~]+$/.test(token)) {
      token = undefined;
      return new Response('{"error":"This is not a token"}', { status: 400 });
    }
    const response = await api('GET', '/api/auth/session');
    if (!response.ok) token = undefined;
    return response;
  });
  onSubmit('logout', () => {
    if (token === undefined) return api('POST', '/api/auth/logout');
    token = undefined;
    return new Response();
  });
  void showSession();
}
