import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainError } from '../../http/errors.js';
import { NO_FIELDS } from '../../fields/custom/defined-fields.js';
import { RequestContext } from '../../lists/request-context.js';
import type { Executor } from '../../database/executor.js';
import { LibraryReader } from '../../network/device-type-library/library-file.js';
import type { DeviceTypeLibraryImport } from '../../network/device-type-library/library-import.models.js';
import { DeviceTypesService } from '../../network/device-type/device-types.service.js';

export interface LoadedLibrary extends Omit<DeviceTypeLibraryImport, 'ignored'> {
  files: number;
  /** Ignored keys, with the number of documents that have them. */
  ignored: Record<string, number>;
  /** Files that are left out, each with its first fault. */
  faulty: string[];
}

/**
 * Imports a checkout of the device type library: the YAML files of its folder `device-types`, or of the folder itself.
 * @throws Error with a sentence for the operator
 */
export async function loadLibrary(app: NestFastifyApplication, db: Executor, folder: string): Promise<LoadedLibrary> {
  const files = await filesOf(resolve(folder));
  const reader = new LibraryReader();
  const faulty: string[] = [];
  for (const file of files) {
    const name = relative(folder, file);
    try {
      await reader.read([await readFile(file)], () => name);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faulty.push(`${name}: ${error.message}`);
    }
    const [fault] = reader.takeFaults();
    if (fault) faulty.push(String(fault));
  }
  // Records of a library have no custom fields.
  const ctx = new RequestContext(undefined, 'npm run catalogue', db, NO_FIELDS);
  const { ignored, ...counts } = await app
    .get(DeviceTypesService)
    .importLibrary(ctx, reader.types(), { overwrite: false, dryRun: false });
  const keys: Record<string, number> = {};
  for (const { key } of ignored) keys[key] = (keys[key] ?? 0) + 1;
  return { files: files.length, ...counts, ignored: keys, faulty };
}

async function filesOf(folder: string): Promise<string[]> {
  const list = (at: string) => readdir(at, { recursive: true, withFileTypes: true });
  const entries = await list(join(folder, 'device-types')).catch(() =>
    list(folder).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(`${folder} cannot be read: ${code}`);
    }),
  );
  const files = entries.filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name));
  if (files.length === 0) throw new Error(`${folder} has no YAML files`);
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}
