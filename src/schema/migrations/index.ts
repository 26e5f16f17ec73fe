import type { MigrationInterface } from 'typeorm';
import { Catalogue1795219200002 } from './20261121-catalogue.js';
import { ChangeLog1795219200020 } from './20261121-change-log.js';
import { History1795219200030 } from './20261121-history.js';
import { Expirations1795343000000 } from './20261122-expirations.js';
import { Identities1795317600000 } from './20261122-identities.js';
import { ListIndexes1795219200012 } from './20261121-list-indexes.js';
import { Rules1795219200001 } from './20261121-rules.js';
import { LoginAttemptsInFlight1795305600000 } from './20261122-login-attempts-in-flight.js';
import { EndAssignments1795311600000 } from './20261122-end-assignments.js';
import { RecordCounts1795219200011 } from './20261121-record-counts.js';
import { SearchOfParts1795330000000 } from './20261122-search-of-parts.js';
import { SessionChanges1795219200010 } from './20261121-session-changes.js';
import { Tables1795219200000 } from './20261121-tables.js';
import { Tokens1795314000000 } from './20261122-tokens.js';

/** Migrations in the order they run. A published one is never changed. */
export const migrations: (new () => MigrationInterface)[] = [
  Tables1795219200000,
  Rules1795219200001,
  Catalogue1795219200002,
  SessionChanges1795219200010,
  RecordCounts1795219200011,
  ListIndexes1795219200012,
  ChangeLog1795219200020,
  History1795219200030,
  LoginAttemptsInFlight1795305600000,
  EndAssignments1795311600000,
  Tokens1795314000000,
  Identities1795317600000,
  SearchOfParts1795330000000,
  Expirations1795343000000,
];
