/* The bar above: who the page acts for, and the forms that begin and end it. */

export const SESSION_CHANGED = 'session-changed';

/** Who the page acts for; undefined for nobody. */
let caller;
export const currentCaller = () => caller;

const element = (id) => document.getElementById(id);
/** Those that the page has: the service leaves out the ways to log in that are not configured. */
const offered = (...ids) => ids.filter((id) => element(id));

/** Kept by this page alone, and only while it is open. */
let token;
/** Headers that say who asks: none for a session, whose cookie the browser sends. */
export const credentials = () => (token === undefined ? {} : { Authorization: `Bearer ${token}` });

const api = (method, path, body) =>
  fetch(path, {
    method,
    headers: { ...credentials(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

export async function showSession() {
  const response = await api('GET', '/api/auth/session');
  // One that no longer counts must not stand in the way of logging in.
  if (response.status === 401) token = undefined;
  caller = response.ok ? (await response.json()).data : undefined;
  element('caller').textContent = caller ? `${caller.email}, ${caller.role}` : '';
  element('way').textContent = token === undefined ? 'Logged in as' : 'With a token of';
  element('leave').textContent = token === undefined ? 'Log out' : 'Forget the token';
  element('logout').hidden = !caller;
  for (const way of offered('login', 'sign-in', 'use-token')) element(way).hidden = Boolean(caller);
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
  for (const form of offered('login')) onSubmit(form, (given) => api('POST', '/api/auth/login', given));
  onSubmit('use-token', async (given) => {
    token = given.token.trim();
    // What is no value of a header could not even be sent.
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
