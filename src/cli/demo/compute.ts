import type { Estate } from './estate.js';
import type { Site } from './places.js';

const CLUSTER_TYPES = [
  { name: 'VMware vSphere', slug: 'vmware-vsphere', description: 'Hypervisors managed by vCenter' },
  { name: 'Proxmox VE', slug: 'proxmox-ve', description: 'KVM hypervisors with Ceph' },
  { name: 'Kubernetes', slug: 'kubernetes', description: 'Container hosts' },
  { name: 'Switch hosting', slug: 'switch-hosting', description: 'Machines that run on switches' },
] as const;

/** The workloads: name, number per site, processors, memory in GB, disk in GB, platform. */
const WORKLOADS: readonly [string, number, number, number, number, string][] = [
  ['web', 16, 4, 8, 60, 'debian'],
  ['booking', 12, 8, 16, 80, 'ubuntu-server'],
  ['tracking', 12, 8, 16, 80, 'ubuntu-server'],
  ['warehouse', 8, 8, 32, 120, 'red-hat-enterprise-linux'],
  ['edi', 8, 4, 8, 200, 'windows-server'],
  ['cache', 8, 4, 32, 40, 'debian'],
  ['queue', 6, 4, 16, 120, 'debian'],
  ['mail', 4, 4, 16, 500, 'debian'],
  ['dc', 4, 4, 8, 80, 'windows-server'],
  ['files', 4, 4, 16, 2000, 'windows-server'],
  ['build', 10, 16, 32, 300, 'ubuntu-server'],
  ['git', 2, 8, 16, 800, 'debian'],
  ['wiki', 2, 4, 8, 120, 'debian'],
  ['metrics', 4, 8, 64, 1000, 'debian'],
  ['logs', 6, 8, 64, 4000, 'debian'],
  ['proxy', 4, 4, 8, 40, 'debian'],
  ['vpn', 2, 4, 8, 40, 'debian'],
  ['vault', 3, 2, 4, 40, 'debian'],
  ['ntp', 2, 1, 2, 20, 'freebsd'],
  ['sandbox', 3, 2, 4, 40, 'ubuntu-server'],
];

const VM_STATES: Record<string, string> = {
  'ams-build-10': 'paused',
  'ams-sandbox-03': 'planned',
  'ams-edi-08': 'decommissioning',
  'lon-web-16': 'staged',
  'lon-files-04': 'failed',
  'lon-sandbox-02': 'offline',
};

export interface Clusters {
  production: string;
  test: string;
  kubernetes: string;
  /** The core switches of Amsterdam, which run small machines of their own. */
  switches: string | null;
}

/** Three clusters per site, one on the core switches of Amsterdam, and one that is planned. */
export async function makeClusters(estate: Estate, sites: readonly Site[]): Promise<Map<Site, Clusters>> {
  const types = new Map<string, string>();
  for (const type of CLUSTER_TYPES) types.set(type.slug, (await estate.make('cluster-types', type)).id);
  const clusters = new Map<Site, Clusters>();
  for (const site of sites) {
    const make = async (name: string, type: string, description: string, status = 'active'): Promise<string> => {
      const cluster = {
        name: `${site.code}-${name}`,
        clusterTypeId: types.get(type),
        siteId: site.id,
        status,
        description,
      };
      return (await estate.make('clusters', cluster)).id;
    };
    const hypervisor = site.code === 'ams' ? 'vmware-vsphere' : 'proxmox-ve';
    clusters.set(site, {
      production: await make('prod-01', hypervisor, 'Production, 18 hosts'),
      test: await make('test-01', hypervisor, 'Test and build, 6 hosts'),
      kubernetes: await make('k8s-01', 'kubernetes', 'Booking portal, 8 nodes'),
      switches:
        site.code === 'ams' ? await make('core-apps-01', 'switch-hosting', 'What runs on the core switches') : null,
    });
    if (site.code === 'lon') await make('prod-02', hypervisor, 'For rack C3, once its hosts have arrived', 'planned');
  }
  return clusters;
}

export interface Machine {
  id: string;
  name: string;
  site: Site;
}

export async function makeVirtualMachines(
  estate: Estate,
  clusters: ReadonlyMap<Site, Clusters>,
  platforms: ReadonlyMap<string, string>,
): Promise<Machine[]> {
  const machines: Machine[] = [];
  for (const [site, { production, test, switches }] of clusters) {
    for (const [workload, count, vcpus, memory, diskGb, platform] of WORKLOADS) {
      for (let number = 1; number <= count; number++) {
        const name = `${site.code}-${workload}-${String(number).padStart(2, '0')}`;
        const { id } = await estate.make('virtual-machines', {
          name,
          clusterId: workload === 'build' || workload === 'sandbox' ? test : production,
          status: VM_STATES[name] ?? 'active',
          vcpus,
          memoryMb: memory * 1024,
          diskGb,
          platformId: platforms.get(platform),
          description: `${workload} ${number} of ${count} in ${site.name}`,
        });
        machines.push({ id, name, site });
      }
    }
    if (switches === null) continue;
    const name = `${site.code}-netflow-01`;
    const machine = { name, clusterId: switches, status: 'active', vcpus: 2, memoryMb: 4096, diskGb: 40 };
    const { id } = await estate.make('virtual-machines', {
      ...machine,
      description: 'Flow collector on the core switches',
    });
    machines.push({ id, name, site });
  }
  return machines;
}
