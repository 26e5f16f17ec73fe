import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isLogged } from '../fields/record-entity.js';
import { packageVersion } from '../openapi/document/version.js';
import { records } from './entities.js';
import { logRecords, triggerArguments } from './record-table.js';
import { recordTableOf } from './record-table-of.js';

/*
 * Functions and triggers are not part of the migrations. They are applied after them, whenever they differ from those that the
 * database has: the files of the folder `functions`, and the triggers that each table of records gets as its entity declares.
 */

/** Statements that make a function with its triggers, or the triggers of one table. They may be repeated. */
export interface Part {
  name: string;
  sql: string;
  digest: string;
}

const FOLDER = join(__dirname, 'functions');
/** What makes the triggers of a table of records. */
const OF_RECORDS = ['log_records.sql', 'logged_rows.sql', 'logged_update.sql'];

const digestOf = (...texts: string[]): string => createHash('sha256').update(texts.join('\0')).digest('hex');

/** In the order in which they are applied. */
export function functionParts(): Part[] {
  const files = readdirSync(FOLDER)
    .toSorted()
    .map((name) => {
      const sql = readFileSync(join(FOLDER, name), 'utf8');
      return { name, sql, digest: digestOf(sql) };
    });
  const ofRecords = files.filter(({ name }) => OF_RECORDS.includes(name)).map(({ digest }) => digest);
  const tables = records.filter(isLogged).map((record) => {
    const about = recordTableOf(record);
    const sql = logRecords(about.table, triggerArguments(about));
    return { name: about.table, sql, digest: digestOf(...ofRecords, sql, ...about.columns) };
  });
  return [...files, ...tables];
}

const EXISTS = `SELECT to_regclass('applied_functions') IS NOT NULL AS found`;
const APPLIED = 'SELECT name, digest, version FROM applied_functions';
const NOTE = `CREATE TABLE IF NOT EXISTS applied_functions (
  name text CONSTRAINT pk_applied_functions PRIMARY KEY, digest text NOT NULL, version text NOT NULL)`;
const FORGET = 'DELETE FROM applied_functions';
const REMEMBER = 'INSERT INTO applied_functions SELECT *, $3 FROM unnest($1::text[], $2::text[])';

const isNewer = (version: string, other: string): boolean => version.localeCompare(other, 'en', { numeric: true }) > 0;

/** What the database lacks. Nothing if a newer version has applied its functions: the two versions share them (ADR 20). */
export async function missingFunctions(dataSource: DataSource, parts = functionParts()): Promise<Part[]> {
  const [{ found }] = await dataSource.query(EXISTS);
  const rows: { name: string; digest: string; version: string }[] = found ? await dataSource.query(APPLIED) : [];
  if (rows.some(({ version }) => isNewer(version, packageVersion()))) return [];
  const digests = new Map(rows.map(({ name, digest }) => [name, digest]));
  return parts.filter(({ name, digest }) => digests.get(name) !== digest);
}

// A function that acts as its owner must not be led to tables of others. Functions call each other, so their bodies are not checked
// before all of them are there. Who waits for a lock makes others wait behind it: it waits briefly and often, and never so long that a
// writer which waits for us counts as a deadlock.
const SETTINGS = `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true),
  set_config('check_function_bodies', 'off', true), set_config('lock_timeout', '500ms', true)`;
const PAUSE_MS = 500;
const ATTEMPTS = 600;
const LOCK_NOT_AVAILABLE = '55P03';

/** Applies the functions and triggers that the database lacks, all of them or none. */
export async function applyFunctions(dataSource: DataSource): Promise<void> {
  const parts = functionParts();
  const missing = await missingFunctions(dataSource, parts);
  if (missing.length === 0) return;
  const apply = async (tx: EntityManager): Promise<void> => {
    await tx.query(SETTINGS);
    for (const { sql } of missing) await tx.query(sql);
    await tx.query('SELECT extend_change_log()');
    await tx.query(NOTE);
    await tx.query(FORGET);
    await tx.query(REMEMBER, [parts.map(({ name }) => name), parts.map(({ digest }) => digest), packageVersion()]);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await dataSource.transaction(apply);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
