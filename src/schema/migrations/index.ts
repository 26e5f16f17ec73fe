import type { MigrationInterface } from 'typeorm';
import { Tables1795219200000 } from './20261121-tables.js';
import { Rules1795219200001 } from './20261121-rules.js';
import { Catalogue1795219200002 } from './20261121-catalogue.js';
import { SessionChanges1795219200010 } from './20261121-session-changes.js';
import { RecordCounts1795219200011 } from './20261121-record-counts.js';
import { ListIndexes1795219200012 } from './20261121-list-indexes.js';
import { ChangeLog1795219200020 } from './20261121-change-log.js';
import { History1795219200030 } from './20261121-history.js';
import { LoginAttemptsInFlight1795305600000 } from './20261122-login-attempts-in-flight.js';
import { EndAssignments1795311600000 } from './20261122-end-assignments.js';
import { Tokens1795314000000 } from './20261122-tokens.js';
import { Identities1795317600000 } from './20261122-identities.js';
import { SearchOfParts1795330000000 } from './20261122-search-of-parts.js';
import { OnCall1795340000000 } from './20261122-on-call.js';
import { Targets1795341000000 } from './20261122-targets.js';
import { Receipts1795342000000 } from './20261122-receipts.js';
import { Holders1795342000001 } from './20261122-holders.js';
import { Expirations1795343000000 } from './20261122-expirations.js';
import { Vlans1795344000000 } from './20261122-vlans.js';
import { Prefixes1795344000001 } from './20261122-prefixes.js';
import { AddressHosts1795344000002 } from './20261122-address-hosts.js';
import { Allocation1795344000003 } from './20261122-allocation.js';
import { RackPlacement1795345000000 } from './20261122-rack-placement.js';
import { DeviceTypePorts1795345000001 } from './20261122-device-type-ports.js';
import { CalendarFeeds1795350000000 } from './20261122-calendar-feeds.js';
import { SharedStatements1795360000000 } from './20261122-shared-statements.js';
import { ChangeLogByMonth1795370000000 } from './20261122-change-log-by-month.js';
import { AddressNumbers1795370000001 } from './20261122-address-numbers.js';
import { DeviceTypeProperties1795380000000 } from './20261122-device-type-properties.js';
import { ValueCounts1795600000000 } from './20261122-value-counts.js';
import { AssignmentsOfNobody1795600000001 } from './20261122-assignments-of-nobody.js';

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
  OnCall1795340000000,
  Targets1795341000000,
  Receipts1795342000000,
  Holders1795342000001,
  Expirations1795343000000,
  Vlans1795344000000,
  Prefixes1795344000001,
  AddressHosts1795344000002,
  Allocation1795344000003,
  RackPlacement1795345000000,
  DeviceTypePorts1795345000001,
  CalendarFeeds1795350000000,
  SharedStatements1795360000000,
  ChangeLogByMonth1795370000000,
  AddressNumbers1795370000001,
  DeviceTypeProperties1795380000000,
  ValueCounts1795600000000,
  AssignmentsOfNobody1795600000001,
];
