import { portOf } from './cabling.js';
import type { Catalogue, Device } from './devices.js';
import type { Estate, Made } from './estate.js';
import type { Site } from './places.js';

/* External supplies and how they reach the devices: carriers, power, and the panels between the rooms. */

const POSITIONS = 24;
const OUTLETS = 16;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const ofGroup = (devices: readonly Device[], site: Site, name: string): Device[] =>
  devices.filter((device) => device.site === site && device.group.name === name);

/** Adds ports to a type, and to devices of it. Returns those that each device has got, by their names. */
async function addPorts(
  estate: Estate,
  { types }: Catalogue,
  type: string,
  devices: readonly Device[],
  ports: readonly object[],
): Promise<ReadonlyMap<Device, ReadonlyMap<string, string>>> {
  await estate.makeAll(`device-types/${types.get(type)!.id}/ports`, ports);
  const added = new Map<Device, ReadonlyMap<string, string>>();
  for (const device of devices) {
    const { created } = await estate.make(`devices/${device.id}/ports/sync`, {});
    added.set(device, new Map((created as Made[]).map(({ id, name }) => [name as string, id])));
  }
  return added;
}

/** A trunk between the panels of a site, over which the distribution switches reach the firewalls. */
export async function makePanels(
  estate: Estate,
  sites: readonly Site[],
  devices: readonly Device[],
  catalogue: Catalogue,
): Promise<void> {
  const panels = devices.filter(({ group }) => group.name === 'panel');
  const { type } = panels[0]!.group;
  const path = `device-types/${catalogue.types.get(type)!.id}/ports`;
  const rear = { kind: 'rear', name: 'Rear', type: 'mpo', positions: POSITIONS };
  const [rearPortId] = await estate.makeAll(path, [rear]);
  const fronts = numbers(POSITIONS).map((rearPosition) => ({
    ...{ kind: 'front', name: String(rearPosition), type: 'lc-upc', rearPortId, rearPosition },
  }));
  const ports = await addPorts(estate, catalogue, type, panels, fronts);
  for (const site of sites) {
    const [near, far] = ofGroup(devices, site, 'panel').map((panel) => ports.get(panel)!) as [
      ReadonlyMap<string, string>,
      ReadonlyMap<string, string>,
    ];
    const code = site.code.toUpperCase();
    const fibre = { type: 'smf-os2', color: '#ffd400' };
    await estate.makeAll('cables', [
      { aId: near.get('Rear'), bId: far.get('Rear'), label: `${code}-T001`, ...fibre, lengthM: 85 },
      ...ofGroup(devices, site, 'dist-sw').flatMap((dist, index) => {
        const position = String(index + 1);
        const firewall = ofGroup(devices, site, 'fw')[index]!;
        const [from, to] = [`${code}-P10${position}`, `${code}-P20${position}`];
        return [
          { aId: portOf(dist, 'access').id, bId: near.get(position), label: from, ...fibre, lengthM: 3 },
          { aId: far.get(position), bId: portOf(firewall, 'access').id, label: to, ...fibre, lengthM: 5 },
        ];
      }),
    ]);
  }
}

/** Power of the supplies of a device, in watts. */
const SERVER = { maximumDrawW: 800, allocatedDrawW: 350 };
const NETWORK = { maximumDrawW: 400, allocatedDrawW: 120 };

/**
 * Two feeds for each rack with power distribution units. The first is behind feed A and an uninterruptible supply, the second behind
 * feed B. Every device of the rack has one power supply on each.
 */
export async function makePower(estate: Estate, devices: readonly Device[], catalogue: Catalogue): Promise<void> {
  const add = (own: readonly Device[], ports: readonly object[]): ReturnType<typeof addPorts> =>
    addPorts(estate, catalogue, own[0]!.group.type, own, ports);
  const outlets = (count: number, type: string): object[] =>
    numbers(count).map((number) => ({ kind: 'outlet', name: `Outlet ${number}`, type }));
  const input = { kind: 'power', name: 'Input', type: 'iec-60320-c20' };
  const all = (name: string): Device[] => devices.filter(({ group }) => group.name === name);
  const supplies = await add(all('ups'), [{ ...input, maximumDrawW: 2700 }, ...outlets(1, 'iec-60320-c19')]);
  const units = await add(all('pdu'), [{ ...input, maximumDrawW: 3680 }, ...outlets(OUTLETS, 'iec-60320-c13')]);

  const racks = new Set([...units.keys()].map(({ rack }) => rack.id));
  const consumers = devices.filter(
    (device) => racks.has(device.rack.id) && device.ports.length > 0 && !supplies.has(device) && !units.has(device),
  );
  const inlets = new Map<Device, ReadonlyMap<string, string>>();
  for (const type of new Set(consumers.map(({ group }) => group.type))) {
    const own = consumers.filter(({ group }) => group.type === type);
    const draw = own[0]!.ports.some(({ use }) => use === 'data') ? SERVER : NETWORK;
    const ports = [1, 2].map((number) => ({ kind: 'power', name: `PSU ${number}`, type: 'iec-60320-c14', ...draw }));
    for (const [device, added] of await add(own, ports)) inlets.set(device, added);
  }

  const cables: object[] = [];
  for (const [supply, ports] of supplies) {
    const { rack, site } = supply;
    for (const [index, [unit, sockets]] of [...units].filter(([one]) => one.rack.id === rack.id).entries()) {
      const side = 'AB'[index]!;
      const { id } = await estate.make('power-feeds', {
        name: `${site.code.toUpperCase()}-${rack.name} feed ${side}`,
        rackId: rack.id,
        panel: `PDB-${side} breaker ${1 + [...racks].indexOf(rack.id)}`,
        type: side === 'A' ? 'primary' : 'redundant',
        voltageV: 230,
        amperageA: 16,
      });
      const first = side === 'A' ? ports.get('Input') : sockets.get('Input');
      cables.push({ aResource: 'power-feeds', aId: id, bId: first, type: 'power' });
      if (side === 'A')
        cables.push({ aId: ports.get('Outlet 1'), bId: sockets.get('Input'), type: 'power', lengthM: 1 });
      for (const [place, consumer] of consumers.filter((one) => one.rack.id === rack.id).entries()) {
        const label = `${unit.name}-${place + 1}`;
        const [aId, bId] = [sockets.get(`Outlet ${place + 1}`), inlets.get(consumer)!.get(`PSU ${index + 1}`)];
        cables.push({ aId, bId, type: 'power', label, lengthM: 2, color: side === 'A' ? '#d32f2f' : '#1976d2' });
      }
    }
  }
  await estate.makeAll('cables', cables);
}

const CARRIER = 'North Sea Carrier';

/** Transit at the edge routers of each site, and two wavelengths between the sites. */
export async function makeCircuits(
  estate: Estate,
  sites: readonly Site[],
  devices: readonly Device[],
  vendors: ReadonlyMap<string, string>,
): Promise<void> {
  const vendorId = vendors.get(CARRIER);
  const contracts = new Map((await estate.all('contracts')).map(({ name, id }) => [name as string, id]));
  const cables: object[] = [];
  /** @param ends the router at each end, or the carrier's name for its network if there is no router */
  const make = async (body: object, ends: readonly (Device | string)[]): Promise<void> => {
    const { id } = await estate.make('circuits', { vendorId, installDate: estate.day(-400), ...body });
    for (const [index, end] of ends.entries()) {
      const place = typeof end === 'string' ? { providerNetwork: end } : { siteId: end.site.id };
      const side = index === 0 ? 'A' : 'Z';
      const termination = await estate.make(`circuits/${id}/terminations`, { side, ...place });
      if (typeof end === 'string') continue;
      const aId = termination.id;
      cables.push({
        aResource: 'circuit-terminations',
        aId,
        bId: portOf(end, 'peer').id,
        type: 'smf-os2',
        lengthM: 15,
      });
    }
  };
  for (const site of sites) {
    for (const [index, router] of ofGroup(devices, site, 'edge-rtr').entries()) {
      await make(
        {
          circuitNumber: `NSC-${site.code.toUpperCase()}-${20_417 + index}`,
          type: 'internet',
          commitRateKbps: 5_000_000,
          contractId: contracts.get('Internet transit'),
        },
        [router, `${CARRIER}, AS64510`],
      );
    }
  }
  const [one, other] = sites.map((site) => ofGroup(devices, site, 'dci-rtr')) as [Device[], Device[]];
  for (const [index, router] of one.entries()) {
    await make(
      {
        circuitNumber: `NSC-W-${1042 + index}`,
        type: 'wavelength',
        commitRateKbps: 100_000_000,
        contractId: contracts.get('Wavelength between the sites'),
      },
      [router, other[index]!],
    );
  }
  await estate.makeAll('cables', cables);
}
