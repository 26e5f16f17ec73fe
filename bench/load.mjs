// Sends requests to a server: one, to examine its response, or as many as it can answer in a given time.
import autocannon from 'autocannon';

/** @param credential value of a session cookie, or a token */
const headersOf = (credential, { body, anonymous }) => ({
  ...(!anonymous &&
    (credential.startsWith('iio_') ? { authorization: `Bearer ${credential}` } : { cookie: `session=${credential}` })),
  ...(body && { 'content-type': 'application/json' }),
});

/** Sends one request of an operation and returns the response. */
export async function ask(server, session, request) {
  const response = await fetch(server.url + request.path, {
    method: request.method ?? 'GET',
    headers: headersOf(session, request),
    body: request.body && JSON.stringify(request.body),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Milliseconds until the first and the last byte of a response body. */
export async function timesOf(server, session, request) {
  const started = performance.now();
  const response = await fetch(server.url + request.path, { headers: headersOf(session, request) });
  const reader = response.body.getReader();
  await reader.read();
  const first = performance.now() - started;
  while (!(await reader.read()).done);
  if (!response.ok) throw new Error(`${server.kind}: ${request.path} gave ${response.status}`);
  return { first, last: performance.now() - started };
}

/**
 * Loads a server with an operation for a given time. With several sessions the connections are shared evenly among them.
 * @param {string[]} sessions of the callers
 * @returns {Promise<{ rate: number, p50: number, p99: number, answered: number }>} requests per second, milliseconds, number of
 * requests
 */
export async function load(server, sessions, operation, { connections = 32, seconds }) {
  let n = Math.floor(Math.random() * 1000);
  let connected = 0;
  const requestsOf = (session) => [
    {
      setupRequest: (base) => {
        const request = operation.request(n++);
        return {
          ...base,
          method: request.method ?? 'GET',
          path: request.path,
          headers: headersOf(session, request),
          ...(request.body && { body: JSON.stringify(request.body) }),
        };
      },
    },
  ];
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds * (operation.longer ?? 1),
    timeout: 60,
    setupClient: (client) => client.setRequests(requestsOf(sessions[connected++ % sessions.length])),
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${server.kind}: ${failed} requests of '${operation.name}' failed`);
  const answered = result['2xx'];
  return { rate: answered / result.duration, p50: result.latency.p50, p99: result.latency.p99, answered };
}
