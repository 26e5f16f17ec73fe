import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, jsonOf, send, targetOf } from '../remote.js';
import type { Row } from './model.js';

/** A fault of one row. */
export interface RowFault {
  /** Place of the row, from 0. */
  row: number;
  /** Property of the row, such as `siteId` or `customFields.tier`; empty if the fault is of the whole row. */
  field: string;
  message: string;
}

export interface Written {
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
}

interface Answer {
  data?: {
    rows: number;
    created: number;
    updated: number;
    failed: number;
    faults: { row: number; field: string; message: string }[];
  };
  error?: string;
  code?: string;
  details?: { row?: number; field: string; message: string }[];
}

/** Requests are repeated this often where the service is busy or cannot be reached. */
const ATTEMPTS = 8;

/** The service that an estate moves into, through its API. */
export class Service {
  constructor(private readonly connection: { url: string; token?: string }) {}

  /** @throws CommandError if the token is not that of an administrator, or there is no service */
  async check(): Promise<void> {
    const response = await this.request('GET', '/api/auth/session');
    const { data, error } = await jsonOf<{ data?: { role: string }; error?: string }>(response);
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
    const body = rows.map((row) => JSON.stringify(row)).join('\n');
    const response = await this.request('POST', `/api/${path}/import?${query}`, body, 'application/x-ndjson');
    const { data, error, details = [] } = await jsonOf<Answer>(response);
    if (!data) {
      // A fault of the request as a whole, such as a property that no row may have.
      const faults = details.filter(({ row }) => row !== undefined);
      if (faults.length === 0) throw new CommandError(`${path}: ${error}`);
      return { created: 0, updated: 0, faults: faults.map((fault) => faultOf(fault as never)) };
    }
    const { failed, faults } = data;
    const listed = new Set(faults.map(({ row }) => row));
    if (listed.size >= failed || rows.length === 1) return { ...data, faults: faults.map(faultOf) };
    // The service lists its first faults only. Rows that it has written are unchanged when they are sent again.
    const half = Math.ceil(rows.length / 2);
    const first = await this.write(path, rows.slice(0, half), isDryRun);
    const second = await this.write(path, rows.slice(half), isDryRun);
    const before = isDryRun ? { created: 0, updated: 0 } : data;
    return {
      created: before.created + first.created + second.created,
      updated: before.updated + first.updated + second.updated,
      faults: [...first.faults, ...second.faults.map((fault) => ({ ...fault, row: fault.row + half }))],
    };
  }

  /** All records of a small list; undefined if the service has no such list. */
  async list<T>(path: string): Promise<T[] | undefined> {
    const found: T[] = [];
    for (let page = 1; page <= 10_000; page++) {
      const response = await this.request('GET', `/api/${path}?pageSize=100&page=${page}`);
      const { data, error } = await jsonOf<{ data?: T[]; error?: string }>(response);
      if (response.status === 404) return undefined;
      if (!data) throw new CommandError(`${path}: ${error}`);
      found.push(...data);
      if (data.length < 100) break;
    }
    return found;
  }

  /** Sends one record. @returns the record, or why it was refused, with the fields that are wrong */
  async save<T>(
    method: 'POST' | 'PATCH',
    path: string,
    body: Row,
  ): Promise<{ data?: T; error?: string; fields: string[] }> {
    const response = await this.request(method, `/api/${path}`, JSON.stringify(body), 'application/json');
    const {
      data,
      error,
      details = [],
    } = await jsonOf<{ data?: T; error?: string; details?: { field: string }[] }>(response);
    return { data, error, fields: details.map(({ field }) => field) };
  }

  /** Waits and repeats a request where the service asks for it, or is not there for a moment. Every request here can be repeated. */
  private async request(method: string, path: string, body?: string, type?: string): Promise<Response> {
    const { token } = targetOf(this.connection, 'sites');
    const url = new URL(path, this.connection.url);
    for (let attempt = 1; ; attempt++) {
      let wait = Math.min(2 ** attempt * 100, 10_000);
      try {
        const response = await send(
          { url, token },
          { method, body, headers: type === undefined ? undefined : { 'content-type': type } },
        );
        if ((response.status !== 429 && response.status !== 503) || attempt === ATTEMPTS) return response;
        const after = Number(response.headers.get('retry-after'));
        if (after > 0) wait = Math.min(after * 1000, 60_000);
        await response.body?.cancel();
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      }
      await sleep(wait);
    }
  }
}

const faultOf = ({ row, field, message }: { row: number; field: string; message: string }): RowFault => ({
  row: row - 1,
  field: field.replace(/^rows\[\d+\]\.?/, ''),
  message,
});
