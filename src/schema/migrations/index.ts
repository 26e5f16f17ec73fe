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
import { RecordLinks1795700000029 } from './20261125-record-links.js';
import { CustomValuesRestored1795700000030 } from './20261125-custom-values-restored.js';
import { Responsibilities1795700000031 } from './20261125-responsibilities.js';
import { Coverage1795700000032 } from './20261125-coverage.js';
import { RunbookTargets1795700000033 } from './20261125-runbook-targets.js';
import { Exposure1795700000034 } from './20261125-exposure.js';
import { FreePorts1795700000035 } from './20261125-free-ports.js';
import { LatestPurchases1795700000040 } from './20261126-latest-purchases.js';
import { PowerLost1795700000041 } from './20261126-power-lost.js';
import { RearPortLoops1795709506339 } from './20261126-rear-port-loops.js';
import { OwnReferences1795709506340 } from './20261126-own-references.js';
import { WhatCovers1795709578266 } from './20261126-what-covers.js';
import { CoverageSpansByKind1795720000000 } from './20261126-coverage-spans-by-kind.js';
import { ContractDays1795758889482 } from './20261127-contract-days.js';
import { CustomReferencesOfDefinitions1795760000000 } from './20261127-custom-references-of-definitions.js';
import { CircuitDates1795760000010 } from './20261127-circuit-dates.js';
import { CableEndsTaken1795763542234 } from './20261127-cable-ends-taken.js';
import { RackUnits1795790576354 } from './20261127-rack-units.js';
import { HostsGone1795791023952 } from './20261127-hosts-gone.js';
import { OrderQuantities1795791100000 } from './20261127-order-quantities.js';
import { TransitionRows1795791632076 } from './20261127-transition-rows.js';

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
  RecordLinks1795700000029,
  CustomValuesRestored1795700000030,
  Responsibilities1795700000031,
  Coverage1795700000032,
  RunbookTargets1795700000033,
  Exposure1795700000034,
  FreePorts1795700000035,
  LatestPurchases1795700000040,
  PowerLost1795700000041,
  RearPortLoops1795709506339,
  OwnReferences1795709506340,
  WhatCovers1795709578266,
  CoverageSpansByKind1795720000000,
  ContractDays1795758889482,
  CustomReferencesOfDefinitions1795760000000,
  CircuitDates1795760000010,
  CableEndsTaken1795763542234,
  RackUnits1795790576354,
  HostsGone1795791023952,
  OrderQuantities1795791100000,
  TransitionRows1795791632076,
];
