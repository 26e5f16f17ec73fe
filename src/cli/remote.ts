/** Shared by the commands that use the API of a running service. */

/** The reason why a command failed, as a sentence for its user. */
export class CommandError extends Error {}

/** Options of every such command, for `parseArgs`. */
export const connectionOptions = {
  url: { type: 'string', default: process.env.INVENTORY_URL ?? 'http://127.0.0.1:3000' },
  token: { type: 'string', default: process.env.INVENTORY_TOKEN },
} as const;

export const CONNECTION_USAGE = `  --url, or INVENTORY_URL      address of the service, http://127.0.0.1:3000 by default
  --token, or INVENTORY_TOKEN  a token of the service`;

/** A request of a command to the service. */
export interface Target {
  url: URL;
  token: string;
  /** Scheme of the token in `Authorization`, `Bearer` by default. */
  scheme?: string;
}

/**
 * @param resource path of a list below `/api`, such as `assets` or `devices/<id>/ports`
 * @param action last part of the path, with its slash
 * @throws CommandError
 */
export function targetOf(
  { url, token }: { url: string; token?: string },
  resource: string,
  action: '' | '/import' = '',
): Target {
  if (!/^[a-z\d-]+(?:\/[a-z\d-]+)*$/i.test(resource))
    throw new CommandError(`'${resource}' is not the path of a resource, such as assets or devices/<id>/ports`);
  if (!token) throw new CommandError('A token is required: --token or INVENTORY_TOKEN. `npm run token` creates one');
  if (!URL.canParse(url)) throw new CommandError(`'${url}' is not the address of a service`);
  return { url: new URL(`/api/${resource}${action}`, url), token };
}

/** Sends a request. @throws CommandError if the service cannot be reached */
export async function send(
  { url, token, scheme = 'Bearer' }: Target,
  { headers, ...init }: RequestInit = {},
): Promise<Response> {
  try {
    return await fetch(url, { ...init, headers: { ...(headers as object), authorization: `${scheme} ${token}` } });
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    throw new CommandError(`${url.origin} cannot be reached: ${cause?.message ?? message}`);
  }
}

/** The JSON of a response. @throws CommandError if it is not a response of this service */
export async function jsonOf<T>(response: Response): Promise<T> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    throw new CommandError(`${new URL(response.url).origin} answered ${response.status}, but not as this service does`);
  }
  return (await response.json()) as T;
}

/**
 * Removes from the text of another system what a terminal would interpret or reorder: control characters except line feeds and tabs,
 * and marks of direction.
 */
export const visible = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are replaced
  text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');

/** Runs a command, and reports on standard error why it failed. */
export function command(run: () => Promise<void>): void {
  run().catch((error: Error & { code?: string }) => {
    const isExpected = error instanceof CommandError || error.code?.startsWith('ERR_PARSE_ARGS') === true;
    process.stderr.write(`${visible((isExpected ? error.message : error.stack) ?? '')}\n`);
    process.exitCode = 1;
  });
}
