import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments, parse } from 'yaml';
import { administer, urlOf } from '../support/database.js';
import { document, type Json } from '../support/document.js';
import { faultsOf } from '../support/kubernetes.js';
import { itOnServer } from '../support/server.js';
import { describeWith, run } from '../support/tools.js';
import { itInFull } from '../support/size.js';

const root = join(__dirname, '../..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const documents = (file: string): Json[] =>
  parseAllDocuments(read('deploy', 'kubernetes', file)).map((one) => one.toJS() as Json);

const [job, jobNetwork] = documents('migrations.yaml') as [Json, Json];
const [deployment, service, budget, network] = documents('service.yaml') as [Json, Json, Json, Json];
const compose = parse(read('deploy', 'compose.yaml'), { merge: true }) as Json;
const unit = read('deploy', 'inventory.service');
const podOf = (manifest: Json): Json => manifest.spec.template.spec;
const containerOf = (manifest: Json): Json => podOf(manifest).containers[0];

/** Values of a key in the systemd unit. */
const unitValues = (key: string): string[] =>
  unit.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
const unitEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    unitValues('Environment').flatMap((line) =>
      line.split(' ').map((pair) => /^([^=]+)=(.*)$/.exec(pair)!.slice(1) as [string, string]),
    ),
  );

const imageCommand = JSON.parse(/^CMD (\[.*\])$/m.exec(read('Dockerfile'))![1]!) as string[];
const version = (JSON.parse(read('package.json')) as { version: string }).version;

describe('the manifests for Kubernetes', () => {
  it.each(
    [job, jobNetwork, deployment, service, budget, network].map((manifest) => [manifest.kind as string, manifest]),
  )('%s is valid', (_, manifest) => {
    expect(faultsOf(manifest)).toEqual([]);
  });

  it.each([
    ['an unknown property', (copy: Json) => (podOf(copy).replica = 2)],
    ['a text for a number', (copy: Json) => (copy.spec.replicas = '2')],
    ['a missing part', (copy: Json) => delete copy.spec.selector],
    ['a quantity that is none', (copy: Json) => (containerOf(copy).resources.limits.memory = '768 MB')],
  ])('are checked against %s', (_, spoil) => {
    const copy = structuredClone(deployment);
    spoil(copy);
    expect(faultsOf(copy)).not.toEqual([]);
  });

  it('select their own pods, and keep one of at least two replicas', () => {
    const { labels } = deployment.spec.template.metadata;
    for (const selector of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
    ]) {
      expect(labels).toMatchObject(selector);
      expect(job.spec.template.metadata.labels).not.toMatchObject(selector);
    }
    expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.minAvailable);
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  });

  it('ask at paths of the service, on its port', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = containerOf(deployment);
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path as string);
    expect(paths).toEqual(['/health/live', '/health/live', '/health/ready']);
    for (const path of paths) expect(Object.keys(document.paths)).toContain(path);
    expect(read('Dockerfile')).toContain(`PORT=${ports[0].containerPort} `);
    // If the database is unavailable, the response comes within two seconds.
    expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2);
  });

  it.each([
    ['migrations', job],
    ['service', deployment],
  ])('run the %s without rights, and write to a volume only', (_, manifest) => {
    expect(podOf(manifest)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
    });
    const { securityContext, volumeMounts, resources } = containerOf(manifest);
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(volumeMounts).toEqual([{ name: 'temporary', mountPath: '/tmp' }]);
    expect(Object.keys(resources.limits)).toEqual(['memory']);
  });

  it('leave the role that owns the tables to the migrations', () => {
    const namesOf = (manifest: Json): string[] => containerOf(manifest).env.map(({ name }: Json) => name as string);
    expect(namesOf(job)).toContain('DATABASE_MIGRATION_URL');
    expect(namesOf(deployment)).not.toContain('DATABASE_MIGRATION_URL');
  });

  it('let in only what stands in front, and out only where the service has to go', () => {
    for (const [policy, manifest] of [
      [network, deployment],
      [jobNetwork, job],
    ] as const) {
      expect(manifest.spec.template.metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
      expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    }
    expect(jobNetwork.spec.ingress).toBeUndefined();
    expect(network.spec.ingress).toEqual([{ from: [expect.anything()], ports: [{ port: 'http', protocol: 'TCP' }] }]);
    const blocks = network.spec.egress.flatMap(({ to = [] }: Json) => to.flatMap(({ ipBlock }: Json) => ipBlock ?? []));
    expect(blocks.map(({ except }: Json) => except[0])).toEqual(['169.254.0.0/16', 'fe80::/10']);
  });

  it('trust no range of addresses that pods have too', () => {
    const trusted = containerOf(deployment).env.find(({ name }: Json) => name === 'TRUST_PROXY');
    expect(trusted.valueFrom.configMapKeyRef).toEqual({ name: 'inventory', key: 'TRUST_PROXY' });
  });

  it('have room for the file of long responses, and time to complete requests', () => {
    const { env } = containerOf(deployment);
    const spool = Number(env.find(({ name }: Json) => name === 'SPOOL_MB').value);
    expect(Number.parseInt(podOf(deployment).volumes[0].emptyDir.sizeLimit, 10)).toBeGreaterThan(spool);
    const [, pause] = containerOf(deployment).lifecycle.preStop.exec.command;
    expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThan(Number(pause) + 10);
  });
});

it('every file names this version', () => {
  const images = [
    containerOf(job).image,
    containerOf(deployment).image,
    compose.services.service.image,
    compose.services.migrations.image,
  ];
  expect(new Set(images)).toEqual(new Set([`infrastructure-inventory:${version}`]));
});

it('every image of others is pinned by its digest', () => {
  const images = [
    ...Object.values<Json>(compose.services).map(({ image }) => image as string),
    ...[job, deployment].flatMap((manifest) => podOf(manifest).containers.map(({ image }: Json) => image as string)),
    ...Array.from(read('Dockerfile').matchAll(/^FROM (\S+)/gm), ([, image]) => image!),
  ].filter((image) => image !== `infrastructure-inventory:${version}`);
  expect(images.length).toBeGreaterThanOrEqual(3);
  expect(images.filter((image) => !/:[\w.-]+@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
});

it('every variable is one of the service', () => {
  const sources = readdirSync(join(root, 'src', 'config'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => read('src', 'config', file))
    .join('\n');
  const known = new Set(Array.from(sources.matchAll(/'([A-Z][A-Z\d_]+)'/g), ([, name]) => name)).add('NODE_OPTIONS');
  const used = [
    ...[job, deployment].flatMap((manifest) => containerOf(manifest).env.map(({ name }: Json) => name as string)),
    ...['service', 'migrations'].flatMap((name) => Object.keys(compose.services[name].environment)),
    ...Object.keys(unitEnvironment()),
  ];
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

it('the image and the unit have the heap limit under which attacks are tested', () => {
  const [, limit] = /const HEAP = '(--max-old-space-size=\d+)'/.exec(read('torture', 'attacks.mjs'))!;
  expect(unitEnvironment().NODE_OPTIONS).toBe(limit);
  expect(read('Dockerfile')).toMatch(new RegExp(`^ENV NODE_OPTIONS=${limit}$`, 'm'));
});

it('the composed services start in order, without rights', () => {
  const { database, migrations, service: served } = compose.services;
  expect(served.depends_on).toEqual({ migrations: { condition: 'service_completed_successfully' } });
  expect(migrations.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  expect(database.healthcheck.test.at(-1)).toContain('pg_isready');
  for (const one of [migrations, served])
    expect(one).toMatchObject({ read_only: true, tmpfs: '/tmp', cap_drop: ['ALL'] });
  expect(migrations.command).toEqual(containerOf(job).command);
  // The service has neither the superuser's password nor that of the owner of its tables.
  const url = (role: string, password: string): string => `postgres://${role}:\${${password}:?}@database/inventory`;
  expect(migrations.environment.DATABASE_MIGRATION_URL).toBe(url('inventory_owner', 'DATABASE_OWNER_PASSWORD'));
  expect(served.environment.DATABASE_URL).toBe(url('inventory', 'DATABASE_PASSWORD'));
  expect(JSON.stringify(served)).not.toMatch(/OWNER|MIGRATION|POSTGRES_PASSWORD/);
  expect(database.volumes).toContain('./roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro');
});

/** The first installed program that checks the file without a container engine. */
const composer = [['docker', 'compose'], ['docker-compose']].find(
  ([program, ...args]) => spawnSync(program!, [...args, 'version']).status === 0,
);
if (!composer) console.warn('SKIPPED: there is no docker compose');
const itWithTools: jest.It = composer ? it : it.skip;
itWithTools('the compose file is valid', async () => {
  const [program, ...args] = composer!;
  const needed = {
    POSTGRES_PASSWORD: 'x',
    DATABASE_OWNER_PASSWORD: 'o',
    DATABASE_PASSWORD: 'a',
    SECRET_KEY: 'b',
    ADMIN_PASSWORD: 'c',
  };
  const file = ['-f', join(root, 'deploy', 'compose.yaml'), 'config'];
  const resolved = parse(await run(program!, [...args, ...file], needed)) as Json;
  expect(resolved.services.service.environment.DATABASE_URL).toBe('postgres://inventory:a@database/inventory');
  // There is no default password: without a password, the start fails.
  await expect(run(program!, [...args, ...file], { SECRET_KEY: 'b', ADMIN_PASSWORD: 'c' })).rejects.toThrow(
    'POSTGRES_PASSWORD',
  );
});

describeWith('systemd-analyze')('the unit of systemd', () => {
  it('is valid', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'));
    try {
      // On some machines, Node is installed elsewhere.
      const file = join(folder, 'inventory.service');
      writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
      expect(await run('systemd-analyze', ['verify', '--man=no', file])).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Runs a command of a deployment file unchanged in the built service. Returns its output when it listens or has ended. */
async function execute(
  command: string[],
  settings: Record<string, string>,
): Promise<{ output: string; code: number | null; stop(): Promise<number | null> }> {
  const [program, ...args] = command;
  const child = spawn(/(?:^|\/)node$/.test(program!) ? process.execPath : program!, args, {
    cwd: root,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...settings, HOST: '127.0.0.1', PORT: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  while (!output.includes('Swagger UI') && child.exitCode === null) await sleep(20);
  if (child.exitCode !== null) await closed;
  return {
    output,
    code: child.exitCode,
    async stop() {
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    },
  };
}

const built = (): void => {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/run.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The build of the service failed');
};

itInFull(
  'the command of the unit serves',
  async () => {
    built();
    const folder = mkdtempSync(join(tmpdir(), 'unit-'));
    const [start] = unitValues('ExecStart');
    const served = await execute(start!.split(' '), { ...unitEnvironment(), DATA_DIR: join(folder, 'inventory') });
    try {
      const url = /listening on (http:\S+)/.exec(served.output)![1]!;
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      expect(existsSync(join(folder, 'inventory', 'postgres'))).toBe(true);
    } finally {
      expect(await served.stop()).toBe(0);
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);

/** Runs the script that creates the roles of the composed database, with unique role names. */
function makeRoles(database: string, [owner, ordinary]: readonly [string, string], password: string): void {
  const { username, hostname, port, password: own } = new URL(process.env.TEST_DATABASE_URL!);
  const script = read('deploy', 'roles.sh')
    .replaceAll('inventory_owner', owner)
    .replaceAll(/(ROLE|TO) inventory\b/g, `$1 ${ordinary}`)
    .replaceAll(/DATABASE inventory\b/g, `DATABASE ${database}`);
  const settings = { PGHOST: hostname, PGPORT: port || '5432', PGPASSWORD: own, POSTGRES_USER: username };
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    env: { PATH: process.env.PATH, ...settings, DATABASE_OWNER_PASSWORD: password, DATABASE_PASSWORD: password },
  });
  expect([status, String(stderr)]).toEqual([0, '']);
}

itOnServer(
  'the migrations run before the service, which needs the ordinary role only',
  async () => {
    built();
    const name = `${process.env.TEST_DATABASE_PREFIX}_deploy_${randomBytes(4).toString('hex')}`;
    const [owner, ordinary] = [`${name}_owner`, `${name}_service`];
    const password = randomBytes(12).toString('hex');
    const urlAs = (role: string): string => Object.assign(new URL(urlOf(name)), { username: role, password }).href;
    makeRoles(name, [owner, ordinary], password);
    const secret: Record<string, string> = {
      DATABASE_URL: urlAs(ordinary),
      DATABASE_MIGRATION_URL: urlAs(owner),
      SECRET_KEY: 'a key that only the tests use, 32+',
      ADMIN_PASSWORD: 'a password of the tests',
      TRUST_PROXY: '10.42.7.15,10.42.8.20',
    };
    const environmentOf = (manifest: Json): Record<string, string> =>
      Object.fromEntries(
        containerOf(manifest).env.map(({ name: variable, value, valueFrom }: Json) => [
          variable,
          value ?? secret[(valueFrom.secretKeyRef ?? valueFrom.configMapKeyRef).key],
        ]),
      );
    try {
      const early = await execute(imageCommand, environmentOf(deployment));
      expect([early.code, early.output]).toEqual([1, expect.stringContaining('set DATABASE_MIGRATION_URL')]);
      for (const _ of ['once', 'twice']) {
        const migrated = await execute(containerOf(job).command, environmentOf(job));
        expect([migrated.code, migrated.output]).toEqual([
          0,
          expect.stringMatching(/^The database has every migration up to \w+\n$/),
        ]);
      }
      const replicas = [
        await execute(imageCommand, environmentOf(deployment)),
        await execute(imageCommand, environmentOf(deployment)),
      ];
      for (const { output } of replicas) {
        const url = /listening on (http:\S+)/.exec(output)![1]!;
        expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      }
      expect(await Promise.all(replicas.map((replica) => replica.stop()))).toEqual([0, 0]);
    } finally {
      await administer(
        `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
        ...[ordinary, owner].map((role) => `DROP ROLE IF EXISTS ${role}`),
      );
    }
  },
  300_000,
);
