// Requests to a server: one, to look at its answer, or as many as it answers in a while.
import autocannon from 'autocannon';

const headersOf = (session, { body, anonymous }) => ({
  ...(!anonymous && { cookie: `session=${session}` }),
  ...(body && { 'content-type': 'application/json' }),
});

/** Answer to one request of an operation. */
export async function ask(server, session, request) {
  const response = await fetch(server.url + request.path, {
    method: request.method ?? 'GET',
    headers: headersOf(session, request),
    body: request.body && JSON.stringify(request.body),
  });
  return { status: response.status, body: await response.json() };
}

/** Milliseconds until the first and until the last byte of an answer's body. */
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
 * Loads a server with an operation for a while.
 * @returns {Promise<{ rate: number, p50: number, p99: number, answered: number }>} requests a second, milliseconds, requests
 */
export async function load(server, session, operation, { connections = 32, seconds }) {
  let n = Math.floor(Math.random() * 1000);
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds * (operation.longer ?? 1),
    timeout: 60,
    requests: [
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
    ],
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${server.kind}: ${failed} requests of '${operation.name}' failed`);
  const answered = result['2xx'];
  return { rate: answered / result.duration, p50: result.latency.p50, p99: result.latency.p99, answered };
}
