import { CommandError, jsonOf, targetOf } from '../remote.js';
import type { Row } from './model.js';
import { persistently } from './requests.js';

/** A fault of one row. */
export interface RowFault {
  /** Index of the row, from 0. */
  row: number;
  /** Property of the row, such as `siteId` or `customFields.tier`; empty for a fault of the whole row. */
  field: string;
  message: string;
}

interface Written {
  /** Rows that are neither created nor updated, and have no faults, are unchanged. */
  created: number;
  updated: number;
  /** Rows that were not written have at least one. */
  faults: RowFault[];
}

/** A definition of a custom field. */
export interface Definition {
  id: string;
  key: string;
  type: string;
  target: string | null;
  resources: string[];
  choices: readonly string[] | null;
  /** Whether a dry run would have changed it. */
  isPlanned?: boolean;
}

/** A fault of a row, counted from 1. */
interface Fault {
  row: number;
  field: string;
  message: string;
}

interface Answer {
  data?: {
    rows: number;
    created: number;
    updated: number;
    failed: number;
    faults: Fault[];
  };
  error?: string;
  code?: string;
  details?: { row?: number; field: string; message: string }[];
}

const MIB = 1024 * 1024;
/** Maximum bytes of a row at the service, and half of the maximum of a request. */
const LONGEST_ROW = MIB;
const LONGEST_BODY = 32 * MIB;

/** The property with the longest value, custom fields included. */
export function longestOf(row: Row): string {
  const lengthOf = (value: unknown): number => (JSON.stringify(value) as string | undefined)?.length ?? 0;
  const values = Object.entries(row).flatMap(([name, value]) =>
    name === 'customFields'
      ? Object.entries(value as Row).map(([key, own]) => [`customFields.${key}`, lengthOf(own)] as const)
      : [[name, lengthOf(value)] as const],
  );
  return values.reduce((longest, one) => (one[1] > longest[1] ? one : longest))[0];
}

/** The service that an estate moves into, through its API. */
export class Service {
  constructor(private readonly connection: { url: string; token?: string }) {}

  /** @throws CommandError if the token is not that of an administrator, or there is no service */
  async check(): Promise<void> {
    const { data, error } = await this.request<{ data?: { role: string }; error?: string }>('GET', '/api/auth/session');
    if (!data) throw new CommandError(`The service refused the token: ${error}`);
    if (data.role !== 'admin')
      throw new CommandError('The token must be one of an administrator, because records keep given ids');
  }

  /**
   * Writes rows by their ids, and leaves out those with faults.
   * @param path of the resource below `/api`
   */
  async write(path: string, rows: readonly Row[], isDryRun: boolean): Promise<Written> {
    const query = `mode=upsert&key=id&onError=skip${isDryRun ? '&dryRun=true' : ''}`;
    const lines = rows.map((row) => JSON.stringify(row));
    const bytes = lines.map((line) => Buffer.byteLength(line));
    if (bytes.some((size) => size > LONGEST_ROW)) return this.writeShort(path, rows, bytes, isDryRun);
    if (rows.length > 1 && bytes.reduce((sum, size) => sum + size + 1, 0) > LONGEST_BODY)
      return this.writeHalves(path, rows, isDryRun);
    const body = lines.join('\n');
    const {
      data,
      error,
      status,
      details = [],
    } = await this.request<Answer>('POST', `/api/${path}/import?${query}`, body, 'application/x-ndjson');
    if (!data) {
      // The owner of the parts does not exist yet, because a dry run has not written it.
      if (status === 404 && isDryRun) return { created: rows.length, updated: 0, faults: [] };
      // A fault of the whole request, for example a property that no row may have.
      const faults = details.filter((fault): fault is Fault => fault.row !== undefined);
      if (faults.length === 0) throw new CommandError(`${path}: ${error}`);
      return { created: 0, updated: 0, faults: faults.map(faultOf) };
    }
    const { failed, faults } = data;
    const listed = new Set(faults.map(({ row }) => row));
    if (listed.size >= failed || rows.length === 1) return { ...data, faults: faults.map(faultOf) };
    // The response lists only the first faults. Rows that were written are unchanged when they are sent again.
    const { created, updated, faults: found } = await this.writeHalves(path, rows, isDryRun);
    const before = isDryRun ? { created: 0, updated: 0 } : data;
    return { created: before.created + created, updated: before.updated + updated, faults: found };
  }

  private async writeHalves(path: string, rows: readonly Row[], isDryRun: boolean): Promise<Written> {
    const half = Math.ceil(rows.length / 2);
    const first = await this.write(path, rows.slice(0, half), isDryRun);
    const second = await this.write(path, rows.slice(half), isDryRun);
    return {
      created: first.created + second.created,
      updated: first.updated + second.updated,
      faults: [...first.faults, ...second.faults.map((fault) => ({ ...fault, row: fault.row + half }))],
    };
  }

  /** Writes the rows that are not too long, and reports the longest value of the others. One such row would fail the whole request. */
  private async writeShort(
    path: string,
    rows: readonly Row[],
    bytes: readonly number[],
    isDryRun: boolean,
  ): Promise<Written> {
    const short = [...rows.keys()].filter((index) => bytes[index]! <= LONGEST_ROW);
    const { created, updated, faults } =
      short.length > 0
        ? await this.write(
            path,
            short.map((index) => rows[index]!),
            isDryRun,
          )
        : { created: 0, updated: 0, faults: [] };
    const tooLong = [...rows.keys()].flatMap((row) =>
      bytes[row]! > LONGEST_ROW
        ? [{ row, field: longestOf(rows[row]!), message: 'makes the record longer than 1 MiB' }]
        : [],
    );
    return { created, updated, faults: [...faults.map((fault) => ({ ...fault, row: short[fault.row]! })), ...tooLong] };
  }

  /** All records of a small list; undefined if the service has no such list. */
  async list<T>(path: string): Promise<T[] | undefined> {
    const found: T[] = [];
    for (let page = 1; page <= 10_000; page++) {
      const answer = await this.request<{ data?: T[]; error?: string }>(
        'GET',
        `/api/${path}?pageSize=100&page=${page}`,
      );
      const { data, error, status } = answer;
      if (status === 404) return undefined;
      if (!data) throw new CommandError(`${path}: ${error}`);
      found.push(...data);
      if (data.length < 100) break;
    }
    return found;
  }

  /** Whether a list has any records. @throws CommandError */
  async hasAny(path: string): Promise<boolean> {
    const { total, error } = await this.request<{ total?: number; error?: string }>('GET', `/api/${path}?pageSize=1`);
    if (total === undefined) throw new CommandError(`${path}: ${error}`);
    return total > 0;
  }

  /**
   * Hands out assets, and takes back assets that somebody else has.
   * @returns the number of assets that were taken back, and the faults of the refused entries
   */
  async handOver(
    holders: readonly { assetId: string; personId: string | null }[],
    isDryRun: boolean,
  ): Promise<{ takenBack: number; faults: RowFault[] }> {
    const path = `assets/handover?onError=skip${isDryRun ? '&dryRun=true' : ''}`;
    const { data, error, status } = await this.save<{ takenBack: number; faults: RowFault[] }>('POST', path, {
      holders,
      replace: true,
    });
    // A version without this action takes the path for that of an asset.
    if (status === 404 || status === 405)
      throw new CommandError(
        'Everything was moved, but no asset was handed out: this version of the service cannot hand out many at once. Upgrade it and run the command again',
      );
    if (!data) throw new CommandError(`assets: ${error}`);
    return { takenBack: data.takenBack, faults: data.faults.map(faultOf) };
  }

  /** Deletes a record. A record that is already gone is not an error. @throws CommandError */
  async remove(path: string): Promise<void> {
    const { token } = targetOf(this.connection, 'sites');
    const target = { url: new URL(`/api/${path}`, this.connection.url), token };
    await persistently(target, { method: 'DELETE' }, async (response) => {
      await response.body?.cancel();
      if (!response.ok && response.status !== 404) throw new CommandError(`${path}: ${response.status}`);
    });
  }

  /** Sends one record. @returns what the service makes of it, or why it was refused */
  save<T>(method: 'POST' | 'PATCH', path: string, body: Row): Promise<{ data?: T; error?: string; status: number }> {
    return this.request(method, `/api/${path}`, JSON.stringify(body), 'application/json');
  }

  /** The response of the service with its status. Every request here can be retried. */
  private request<T>(method: string, path: string, body?: string, type?: string): Promise<T & { status: number }> {
    const { token } = targetOf(this.connection, 'sites');
    const headers = type === undefined ? undefined : { 'content-type': type };
    return persistently(
      { url: new URL(path, this.connection.url), token },
      { method, body, headers },
      async (response) => ({
        ...(await jsonOf<T>(response)),
        status: response.status,
      }),
    );
  }
}

const faultOf = ({ row, field, message }: Fault): RowFault => ({
  row: row - 1,
  field: field.replace(/^rows\[\d+\]\.?/, ''),
  message,
});
