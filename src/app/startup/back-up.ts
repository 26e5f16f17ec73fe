import type { Pool } from 'pg';
import { packageVersion } from '../../openapi/document/version.js';
import type { EmbeddedDatabase } from '../../database/embedded/embedded-database.js';

/** The contents of a backup, for the operator. */
export interface BackupReport {
  bytes: number;
  /** Whether the file contains the key that encrypts secrets. */
  key: boolean;
}

/** Writes a backup of the embedded database while it is in use. @param pool of this database */
export async function backUp(
  { embedded, pool }: { embedded: EmbeddedDatabase; pool: Pool },
  dataDir: string,
  file: string,
): Promise<BackupReport> {
  const { writeBackup } = await import('../../database/embedded/backup.js');
  const { bytes, key } = await embedded.backup(() => writeBackup({ pool, dataDir, version: packageVersion() }, file));
  return { bytes, key };
}
