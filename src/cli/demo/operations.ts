import type { Machine } from './compute.js';
import type { Device } from './devices.js';
import type { Estate } from './estate.js';
import type { People, Team } from './people.js';
import type { Site } from './places.js';

/** Rosters, whose people take weekly turns. */
const ROSTERS: readonly { roster: string; name: string; team: Team; description: string }[] = [
  { roster: 'Network', name: 'Network primary', team: 'network', description: 'First to be called for network faults' },
  {
    roster: 'Platform',
    name: 'Platform primary',
    team: 'platform',
    description: 'First to be called for servers, storage and clusters',
  },
  {
    roster: 'Security',
    name: 'Security on call',
    team: 'security',
    description: 'Called for suspected intrusions only',
  },
];
/** Weeks of each roster: the last two, the current one and the next five. */
const WEEKS = { first: -2, last: 5 };
/** Nobody takes the turn of this week in the roster with the fewest people. */
const GAP = { roster: 'Security', week: 3 };

/** Name, category, team of the owner, summary, steps. */
const RUNBOOKS: readonly [string, string, Team, string, string[]][] = [
  [
    'Replace a failed leaf switch',
    'network',
    'network',
    'From the alarm to the returned unit',
    [
      'Check that the other leaf of the rack carries the traffic.',
      'Take a spare from the store and note its asset tag.',
      'Rack it, cable it by the labels, and let it fetch its configuration.',
      'Bring the uplinks up one at a time and watch BGP.',
      'Send the broken unit back and close the incident.',
    ],
  ],
  [
    'Move the Internet to the other site',
    'network',
    'network',
    'When both edge routers of a site are gone',
    [
      'Announce the change in the operations channel.',
      'Withdraw the prefixes at the failed site.',
      'Check that traffic arrives at the other one.',
      'Lower the DNS names that point to the failed site.',
    ],
  ],
  [
    'Restart a hypervisor host',
    'compute',
    'platform',
    'Without a machine noticing',
    [
      'Put the host into maintenance and wait until it is empty.',
      'Restart it from its management controller.',
      'Check storage paths and time before it takes machines again.',
    ],
  ],
  [
    'Restore a virtual machine',
    'backup',
    'platform',
    'Latest backup, beside the original',
    [
      'Choose the restore point with the requester.',
      'Restore to the test cluster, without network.',
      'Let the requester check it, then swap.',
    ],
  ],
  [
    'Fail over the booking database',
    'database',
    'platform',
    'To the replica in London',
    [
      'Stop writing in the portal.',
      'Wait until the replica has caught up.',
      'Promote it, and move the service address.',
      'Make the old primary a replica.',
    ],
  ],
  [
    'Block an address at both perimeters',
    'security',
    'security',
    'For as long as an analysis takes',
    [
      'Add it to the dynamic list, with the number of the incident.',
      'Check on both sites that it is hit.',
      'Take it off when the incident is closed.',
    ],
  ],
  [
    'Renew a certificate',
    'security',
    'security',
    'By hand, if automation fails',
    [
      'Make the request with the key in the vault.',
      'Install the certificate on both load balancers.',
      'Check the chain from outside.',
    ],
  ],
  [
    'Rack a new device',
    'data centre',
    'operations',
    'From the delivery to the first ping',
    [
      'Receive the order, so that the asset exists.',
      'Create the device at its place in the rack, with the asset.',
      'Add its ports and its management address.',
      'Cable it and see that it answers.',
    ],
  ],
];

/** Title, severity, status, affected system, workaround, detail. */
const KNOWN_ISSUES: readonly [string, string, string, string, string | null, string][] = [
  [
    'Memory leak in the routing process',
    'high',
    'workaround_available',
    'ams-leaf-01 to ams-leaf-20',
    'Restart the process once a month, one switch of a pair at a time',
    'About 40 MB a week; the vendor has confirmed it.',
  ],
  [
    'Management controllers lose their clock',
    'low',
    'open',
    'lon-hv-01 to lon-hv-24',
    null,
    'After a power cycle they start in 2000 and refuse certificates.',
  ],
  [
    'Telephones reboot when their switch does',
    'medium',
    'wont_fix',
    'ams-access-sw-01 to 04',
    'Upgrade outside office hours',
    'Perpetual power is not supported on this revision.',
  ],
  [
    'Backups of large file servers overrun',
    'medium',
    'investigating',
    'ams-files-01',
    'Split into two jobs',
    'They end after the office has opened.',
  ],
  [
    'Flapping transceiver on spine 2',
    'high',
    'resolved',
    'lon-spine-02',
    null,
    'Replaced with one of the spare optics.',
  ],
  [
    'UPS reports a wrong runtime',
    'low',
    'open',
    'lon-ups-03',
    'Trust the battery test, not the estimate',
    'Since the batteries were replaced.',
  ],
  [
    'Portal is slow during the morning peak',
    'medium',
    'investigating',
    'booking portal',
    'Two more booking machines from 7 to 10',
    'The cache misses more than it should.',
  ],
  ['DHCP leases outlive guests', 'low', 'closed', 'ams-dns-01', null, 'Lease time is four hours now.'],
  [
    'Expired vendor certificate blocks updates',
    'critical',
    'resolved',
    'all firewalls',
    'Install the new root by hand',
    'Fixed by the vendor the next day.',
  ],
];

/** Name, day, from, to, status, impact. */
const WINDOWS: readonly [string, number, string, string, string, string][] = [
  ['Core switch upgrade, Amsterdam', -34, '22:00', '23:30', 'completed', 'Two minutes without redundancy'],
  ['UPS battery replacement, London', -20, '09:00', '12:00', 'completed', 'None expected: one feed at a time'],
  ['Firewall upgrade, London', -13, '21:00', '23:00', 'cancelled', 'Sessions through the perimeter are cut once'],
  ['Storage firmware, Amsterdam', -6, '20:00', '23:00', 'completed', 'Higher latency for half an hour'],
  ['Hypervisor patches, Amsterdam', 0, '00:00', '23:59', 'in_progress', 'None: machines are moved before'],
  ['DNS server patches', -1, '19:00', '20:00', 'verifying', 'None: there are two a site'],
  ['Leaf switch upgrade, London, even', 5, '21:00', '23:30', 'scheduled', 'Racks lose one of two leaves'],
  ['Upgrade of ams-spine-01', 9, '21:00', '23:00', 'scheduled', 'The fabric carries on over ams-spine-02'],
  ['Leaf switch upgrade, London, odd', 12, '21:00', '23:30', 'scheduled', 'Racks lose one of two leaves'],
  [
    'Carrier maintenance of the wavelength',
    18,
    '00:00',
    '05:00',
    'scheduled',
    'The sites reach each other over the Internet',
  ],
  ['Generator test, Amsterdam', 26, '07:00', '08:00', 'scheduled', 'None expected'],
];

/** Title, status, risk, team of the requester, day and time it is planned for, detail. */
const CHANGES: readonly [string, string, string, Team, [number, string] | null, string][] = [
  [
    'Upgrade ams-spine-01 and ams-spine-02',
    'completed',
    'high',
    'network',
    [-34, '22:00'],
    'One at a time; the fabric carries on over the other.',
  ],
  [
    'Replace the batteries of all London UPS',
    'completed',
    'medium',
    'operations',
    [-20, '09:00'],
    'Vendor technician, escorted.',
  ],
  [
    'Upgrade the London firewalls',
    'rejected',
    'high',
    'security',
    [-13, '21:00'],
    'Rejected: end of quarter. Ask again next month.',
  ],
  [
    'Storage firmware of ams-san-01',
    'completed',
    'medium',
    'platform',
    [-6, '20:00'],
    'Controllers one after the other.',
  ],
  [
    'Move the wiki to a new machine',
    'failed',
    'low',
    'platform',
    [-4, '18:00'],
    'Rolled back: attachments were missing.',
  ],
  ['Patch DNS servers', 'review', 'low', 'platform', [-1, '19:00'], 'To be looked at after a day.'],
  ['Patch hypervisor hosts, Amsterdam', 'in_progress', 'medium', 'platform', [0, '06:00'], 'Four hosts a day.'],
  [
    'Upgrade leaf switches, London, even numbers',
    'scheduled',
    'medium',
    'network',
    [5, '21:00'],
    'The other leaf of each rack carries the traffic.',
  ],
  [
    'Upgrade leaf switches, London, odd numbers',
    'approved',
    'medium',
    'network',
    [12, '21:00'],
    'A week after the even ones.',
  ],
  [
    'New release of the flow collector ams-netflow-01',
    'approved',
    'low',
    'network',
    [9, '21:30'],
    'It runs on the core switches.',
  ],
  ['New access points on the second floor', 'submitted', 'low', 'network', [20, '08:00'], 'Waits for the delivery.'],
  [
    'Reach the sites over two wavelengths',
    'submitted',
    'critical',
    'network',
    [60, '22:00'],
    'Second carrier, other route.',
  ],
  ['Retire the fax gateway', 'cancelled', 'low', 'operations', null, 'It was retired with its contract.'],
  ['Add four hypervisor hosts in rack C3', 'draft', 'low', 'platform', null, 'When they have been delivered.'],
  ['Move warehouse databases to new volumes', 'draft', 'high', 'platform', null, 'Needs a window of two hours.'],
];

/** Title, severity, status, detected and resolved as day and time, team of the owner, detail. */
const INCIDENTS: readonly [string, string, string, [number, string], [number, string] | null, Team, string][] = [
  [
    'Booking portal answers slowly',
    'sev2',
    'closed',
    [-62, '07:42'],
    [-62, '09:15'],
    'platform',
    'The cache had been restarted during the peak.',
  ],
  [
    'lon-spine-02 drops packets',
    'sev2',
    'closed',
    [-48, '02:10'],
    [-48, '04:35'],
    'network',
    'A transceiver: replaced from the spares.',
  ],
  [
    'Updates of all firewalls fail',
    'sev3',
    'closed',
    [-41, '08:05'],
    [-40, '10:00'],
    'security',
    'Certificate of the vendor.',
  ],
  [
    'Amsterdam without Internet',
    'sev1',
    'closed',
    [-27, '13:21'],
    [-27, '13:58'],
    'network',
    'Fibre cut; moved to London by the runbook.',
  ],
  ['Backup did not finish', 'sev4', 'resolved', [-15, '06:30'], [-15, '11:00'], 'platform', 'Second night in a row.'],
  [
    'Phishing wave against logistics',
    'sev3',
    'resolved',
    [-11, '10:20'],
    [-10, '16:40'],
    'security',
    'Three passwords changed, no access seen.',
  ],
  [
    'lon-hv-23 lost a memory module',
    'sev3',
    'open',
    [-3, '17:12'],
    null,
    'platform',
    'Empty since; module ordered under warranty.',
  ],
  [
    'EDI messages are delayed',
    'sev3',
    'identified',
    [-1, '15:05'],
    null,
    'platform',
    'A partner sends every message twice.',
  ],
  [
    'ams-leaf-07 restarts by itself',
    'sev3',
    'open',
    [-1, '23:40'],
    null,
    'network',
    'Twice this night; the memory leak?',
  ],
  [
    'Printers on the first floor are gone',
    'sev4',
    'open',
    [-1, '23:55'],
    null,
    'operations',
    'Since the switch was patched.',
  ],
  ['Badge readers ask twice', 'sev5', 'open', [-2, '09:00'], null, 'security', 'A nuisance.'],
];

/** Targets of windows, changes, incidents, runbooks and known issues, by the name of the work. */
const TARGETS: Record<string, readonly string[]> = {
  'Amsterdam without Internet': ['Amsterdam DC1'],
  'Core switch upgrade, Amsterdam': ['ams-spine-01', 'ams-spine-02'],
  'Upgrade ams-spine-01 and ams-spine-02': ['ams-spine-01', 'ams-spine-02'],
  // Conflicts with the next one: the switch below the collector restarts.
  'Upgrade of ams-spine-01': ['ams-spine-01'],
  'New release of the flow collector ams-netflow-01': ['ams-netflow-01'],
  'Leaf switch upgrade, London, even': ['lon-leaf-02', 'lon-leaf-04', 'lon-leaf-06'],
  'Upgrade leaf switches, London, even numbers': ['lon-leaf-02', 'lon-leaf-04', 'lon-leaf-06'],
  'Leaf switch upgrade, London, odd': ['lon-leaf-01', 'lon-leaf-03', 'lon-leaf-05'],
  'Upgrade leaf switches, London, odd numbers': ['lon-leaf-01', 'lon-leaf-03', 'lon-leaf-05'],
  'lon-spine-02 drops packets': ['lon-spine-02'],
  'lon-hv-23 lost a memory module': ['lon-hv-23'],
  'EDI messages are delayed': ['ams-edi-01', 'ams-edi-02'],
  'ams-leaf-07 restarts by itself': ['ams-leaf-07'],
  'Replace a failed leaf switch': ['ams-leaf-07', 'lon-leaf-01', 'lon-leaf-02', 'lon-leaf-03'],
  'Move the Internet to the other site': ['Amsterdam DC1', 'London DC2'],
  'Restart a hypervisor host': ['lon-hv-23'],
  'Memory leak in the routing process': ['ams-leaf-07'],
  'Management controllers lose their clock': ['lon-hv-23'],
};

/** Responsible rosters and members of teams, by the names of sites, racks and devices. */
const RESPONSIBILITIES: readonly [string, { kind?: string; roster?: string; team?: Team; description?: string }][] = [
  ['Amsterdam DC1', { roster: 'Platform', description: 'Whatever nobody else answers for' }],
  ['Amsterdam DC1', { kind: 'owns', team: 'platform' }],
  ['London DC2', { roster: 'Platform', description: 'Whatever nobody else answers for' }],
  ['London DC2', { kind: 'owns', team: 'platform' }],
  ['ams-spine-01', { roster: 'Network' }],
  ['ams-spine-02', { roster: 'Network' }],
  ['ams-leaf-07', { roster: 'Network' }],
  ['ams-leaf-07', { kind: 'approves', team: 'network', description: 'Every restart until the vendor has an answer' }],
  ['lon-spine-02', { roster: 'Network' }],
  ['lon-hv-23', { kind: 'approves', team: 'platform' }],
  ['AMS-M1', { roster: 'Network', description: 'Internet edge and firewalls' }],
  ['LON-M1', { roster: 'Network', description: 'Internet edge and firewalls' }],
];

/** The timelines of incidents, by their name. */
const UPDATES: Record<string, readonly { message: string; status?: string; severity?: string }[]> = {
  'lon-hv-23 lost a memory module': [
    { message: 'The machines have been moved to other hosts.' },
    { message: 'The module has been ordered.', status: 'monitoring' },
  ],
  'ams-leaf-07 restarts by itself': [
    { message: 'The other leaf carries the traffic.', status: 'investigating' },
    { message: 'A third restart within the hour.', severity: 'sev2' },
    { message: 'The vendor has asked for a core dump.' },
  ],
};

/** On-call schedules, runbooks, known issues, planned work and incidents. */
export async function makeOperations(
  estate: Estate,
  people: People,
  { sites, devices, machines }: { sites: readonly Site[]; devices: readonly Device[]; machines: readonly Machine[] },
): Promise<void> {
  const targets = new Map(
    [
      ...sites.map(({ id, name }) => ({ resource: 'sites', id, name })),
      ...sites.flatMap(({ code, racks }) =>
        [...racks.values()].map(({ id, name }) => ({ resource: 'racks', id, name: `${code.toUpperCase()}-${name}` })),
      ),
      ...devices.map(({ id, name }) => ({ resource: 'devices', id, name })),
      ...machines.map(({ id, name }) => ({ resource: 'virtual-machines', id, name })),
    ].map(({ resource, id, name }) => [name, { resource, recordId: id }]),
  );
  const makeWork = async (path: string, body: { name: string; [field: string]: unknown }): Promise<string> => {
    const { id } = await estate.make(path, body);
    for (const name of TARGETS[body.name] ?? []) await estate.make(`${path}/${id}/targets`, targets.get(name)!);
    return id;
  };
  const member = (team: Team): string => estate.random.pick(people.team(team));
  await makeRosters(estate, people);
  for (const [name, { team, ...said }] of RESPONSIBILITIES) {
    const { resource, recordId } = targets.get(name)!;
    await estate.make(`${resource}/${recordId}/responsibilities`, { ...said, ...(team && { personId: member(team) }) });
  }
  for (const [name, category, owner, description, steps] of RUNBOOKS) {
    const content = steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
    await makeWork('runbooks', { name, category, ownerId: member(owner), description, content });
  }
  for (const [name, severity, status, affectedSystem, workaround, description] of KNOWN_ISSUES) {
    await makeWork('known-issues', { name, severity, status, affectedSystem, workaround, description });
  }
  for (const [name, day, from, to, status, impact] of WINDOWS) {
    const [startTime, endTime] = [estate.at(day, from), estate.at(day, to)];
    await makeWork('maintenance-windows', { name, startTime, endTime, status, impact });
  }
  for (const [name, status, risk, team, planned, description] of CHANGES) {
    const scheduledFor = planned && estate.at(...planned);
    await makeWork('change-requests', {
      name,
      status,
      risk,
      requestedById: member(team),
      scheduledFor,
      description,
    });
  }
  for (const [name, severity, status, detected, resolved, team, description] of INCIDENTS) {
    const [detectedAt, resolvedAt] = [estate.at(...detected), resolved && estate.at(...resolved)];
    const id = await makeWork('incidents', {
      name,
      severity,
      status,
      detectedAt,
      resolvedAt,
      assignedToId: member(team),
      description,
    });
    for (const update of UPDATES[name] ?? []) await estate.make(`incidents/${id}/updates`, update);
  }
}

/** Rotations with a night that a colleague covers, a night that nobody covers, a gap and an overlap. */
async function makeRosters(estate: Estate, people: People): Promise<void> {
  const shifts = new Map<string, Shift[]>();
  for (const { roster, name, team, description } of ROSTERS) {
    const spans =
      roster === GAP.roster
        ? [
            [WEEKS.first, GAP.week],
            [GAP.week + 1, WEEKS.last + 1],
          ]
        : [[WEEKS.first, WEEKS.last + 1]];
    for (const [from, until] of spans as [number, number][]) {
      const made = await estate.make('on-call-schedules/rotation', {
        name,
        rotation: roster,
        personIds: people.team(team),
        startTime: `${estate.day(estate.monday + 7 * from)}T09:00:00`,
        until: `${estate.day(estate.monday + 7 * until)}T09:00:00`,
        timeZone: 'Europe/Amsterdam',
        unit: 'week',
        description,
      });
      shifts.set(roster, [...(shifts.get(roster) ?? []), ...(made.shifts as Shift[])]);
    }
  }
  const cover = async (roster: string, startTime: string, endTime: string, by?: string): Promise<void> => {
    const shift = shifts.get(roster)?.find((one) => one.startTime <= startTime && one.endTime >= endTime);
    if (!shift) throw new Error(`No shift of ${roster} covers ${startTime}`);
    const personId = by ?? null;
    await estate.make(`on-call-schedules/${shift.id}/cover`, { personId, startTime, endTime });
  };
  const [first, second] = people.team('network');
  const tonight = [estate.at(1, '16:00'), estate.at(2, '06:00')] as const;
  const onCall = shifts
    .get('Network')
    ?.find(({ startTime, endTime }) => startTime <= tonight[0] && endTime > tonight[0]);
  await cover('Network', ...tonight, onCall?.personId === first ? second : first);
  await cover('Platform', estate.at(estate.monday + 16, '08:00'), estate.at(estate.monday + 17, '08:00'));
  await estate.make('on-call-schedules', {
    name: 'Platform primary, accompanied by a new colleague',
    personId: people.team('platform').at(-1),
    startTime: estate.at(estate.monday + 8, '08:00'),
    endTime: estate.at(estate.monday + 10, '16:00'),
    rotation: 'Platform',
  });
}

interface Shift {
  id: string;
  personId: string;
  startTime: string;
  endTime: string;
}
