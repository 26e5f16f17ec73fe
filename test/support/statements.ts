import { Client } from 'pg';

/** The statements that the connections run during `work`, and the codes of their errors. */
export async function watched<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: string[]; codes: string[] }> {
  const statements: string[] = [];
  const codes: string[] = [];
  const query = Client.prototype.query as (...parameters: unknown[]) => unknown;
  const spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...parameters: unknown[]
  ): void {
    const [text] = parameters;
    const sql = typeof text === 'string' ? text : (text as { text: string }).text;
    // BEGIN contains the author. On a slow machine, a connection that was idle for a second is tested first.
    if (sql !== 'SELECT 1') statements.push(sql.replace(/\{.*\}/, '{…}'));
    const result = query.apply(this, parameters) as Promise<unknown> | undefined;
    if (result instanceof Promise) result.catch((error: { code?: string }) => codes.push(error.code ?? 'none'));
    return result as never;
  } as never);
  try {
    return { result: await work(), statements, codes };
  } finally {
    spy.mockRestore();
  }
}
