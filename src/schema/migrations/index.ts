import type { MigrationInterface } from 'typeorm';
import { Baseline1795700000000 } from './20261123-baseline.js';
import { FeedOrder1795700000001 } from './20261123-feed-order.js';
import { Webhooks1795700000002 } from './20261123-webhooks.js';
import { CoveredIndexes1795700000003 } from './20261123-covered-indexes.js';
import { UsedSignIns1795700000004 } from './20261123-used-sign-ins.js';
import { NamedAddresses1795700000005 } from './20261123-named-addresses.js';
import { FeedNumbering1795700000006 } from './20261123-feed-numbering.js';
import { Slugs1795700000007 } from './20261123-slugs.js';
import { CalendarEvents1795700000008 } from './20261123-calendar-events.js';
import { VlanRangeNames1795700000021 } from './20261124-vlan-range-names.js';
import { RegionsCircuitsPowerMachines1795700000022 } from './20261125-regions-circuits-power-machines.js';
import { PortKinds1795700000023 } from './20261125-port-kinds.js';
import { CustomFields1795700000024 } from './20261125-custom-fields.js';
import { EmailKeys1795700000025 } from './20261125-email-keys.js';
import { Cables1795700000026 } from './20261125-cables.js';
import { PowerTargets1795700000027 } from './20261125-power-targets.js';
import { CircuitDevices1795700000028 } from './20261125-circuit-devices.js';

/** Migrations in the order they run. A published one is never changed. */
export const migrations: (new () => MigrationInterface)[] = [
  Baseline1795700000000,
  FeedOrder1795700000001,
  Webhooks1795700000002,
  CoveredIndexes1795700000003,
  UsedSignIns1795700000004,
  NamedAddresses1795700000005,
  FeedNumbering1795700000006,
  Slugs1795700000007,
  CalendarEvents1795700000008,
  VlanRangeNames1795700000021,
  RegionsCircuitsPowerMachines1795700000022,
  PortKinds1795700000023,
  CustomFields1795700000024,
  EmailKeys1795700000025,
  Cables1795700000026,
  PowerTargets1795700000027,
  CircuitDevices1795700000028,
];
