// Three PostgreSQL servers that Patroni manages, each on a host of its own (a network namespace), behind HAProxy. Needs root, and
// Debian's packages patroni, etcd-server, python3-etcd3gw, haproxy and iproute2.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from './support.mjs';

const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'ip'];
const MEMBERS = 3;
const NETWORK = '10.213.87';
const LONGEST_WAIT = 120_000;
const REPAIR_AFTER = 30_000;

// Seconds. Patroni asks for ttl >= loop_wait + 2 * retry_timeout.
const DETECTION = { ttl: 8, loop_wait: 1, retry_timeout: 3 };

const sh = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const quietly = (...command) => {
  try {
    return sh(...command);
  } catch {
    return '';
  }
};

const freePort = (host) =>
  new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, host, () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
  });

/** @param met resolves to a value that ends the waiting */
export async function until(what, met, longest = LONGEST_WAIT) {
  const deadline = Date.now() + longest;
  for (;;) {
    const result = await met();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`Waited ${longest / 1000} s in vain: ${what}`);
    await sleep(50);
  }
}

/** A PostgreSQL server with its Patroni. */
class Member {
  constructor(cluster, index) {
    this.cluster = cluster;
    this.name = `member${index}`;
    this.host = `${NETWORK}.${10 + index}`;
    this.namespace = `${cluster.prefix}-${index}`;
    this.link = `${cluster.prefix}l${index}`;
    this.directory = join(cluster.directory.path, this.name);
    mkdirSync(this.directory);
    sh('chown', 'postgres', this.directory);
  }

  connect() {
    sh('ip', 'netns', 'add', this.namespace);
    sh('ip', 'link', 'add', this.link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.namespace);
    sh('ip', 'link', 'set', this.link, 'master', this.cluster.prefix, 'up');
    const inside = (...args) => sh('ip', 'netns', 'exec', this.namespace, 'ip', ...args);
    inside('address', 'add', `${this.host}/24`, 'dev', 'eth0');
    inside('link', 'set', 'eth0', 'up');
    inside('link', 'set', 'lo', 'up');
  }

  start() {
    const file = join(this.directory, 'patroni.json');
    writeFileSync(file, JSON.stringify(this.configuration()));
    const log = openSync(join(this.directory, 'log'), 'a');
    const command = ['netns', 'exec', this.namespace, 'runuser', '-u', 'postgres', '--', 'patroni', file];
    spawn('ip', command, { stdio: ['ignore', log, log], cwd: this.directory });
    closeSync(log);
  }

  /** JSON, which is YAML too. */
  configuration() {
    const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(a) - Number(b));
    const user = (username) => ({ username, password: username });
    return {
      scope: 'failover',
      name: this.name,
      restapi: { listen: `${this.host}:8008`, connect_address: `${this.host}:8008` },
      etcd3: { hosts: [`${NETWORK}.1:${this.cluster.etcdPort}`] },
      bootstrap: {
        dcs: {
          ...DETECTION,
          // A crashed primary is replaced at once, and not started again first.
          primary_start_timeout: 0,
          master_start_timeout: 0,
          synchronous_mode: true,
          postgresql: {
            use_pg_rewind: true,
            parameters: { max_connections: 60, wal_log_hints: 'on', wal_keep_size: '512MB' },
          },
        },
        initdb: ['data-checksums', { encoding: 'UTF8' }, { auth: 'trust' }],
      },
      postgresql: {
        listen: `${this.host}:5432`,
        connect_address: `${this.host}:5432`,
        data_dir: join(this.directory, 'data'),
        // A server that cannot be rewound is made again from the primary.
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
        basebackup: { checkpoint: 'fast' },
        bin_dir: join('/usr/lib/postgresql', versions.at(-1), 'bin'),
        pgpass: join(this.directory, 'pgpass'),
        pg_hba: [
          'local all all trust',
          `host all all ${NETWORK}.0/24 trust`,
          `host replication all ${NETWORK}.0/24 trust`,
        ],
        authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
        parameters: { unix_socket_directories: this.directory, shared_buffers: '64MB' },
      },
    };
  }

  /** All processes of the host. */
  pids() {
    return quietly('ip', 'netns', 'pids', this.namespace).split('\n').filter(Boolean).map(Number);
  }

  signal(name) {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, name);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
  }

  /** @param state `up` or `down` */
  cable(state) {
    sh('ip', 'link', 'set', this.link, state);
  }

  /** Whether Patroni says that this is the primary. */
  async isPrimary() {
    try {
      const { status } = await fetch(`http://${this.host}:8008/primary`, { signal: AbortSignal.timeout(500) });
      return status === 200;
    } catch {
      return false;
    }
  }
}

/** Makes a standby again from the primary, as `patronictl reinit` does. */
const reinitialize = (host) =>
  fetch(`http://${host}:8008/reinitialize`, {
    method: 'POST',
    body: JSON.stringify({ force: true }),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => {});

export class PatroniCluster {
  /** How often members had to be made again. */
  repairs = 0;
  prefix = `fo${process.pid % 10_000}`;
  directory = temporaryDirectory();
  processes = [];

  static async make() {
    const missing = PROGRAMS.filter((program) => quietly('which', program) === '');
    if (missing.length > 0 || process.getuid() !== 0) {
      throw new Error(
        `Needs root and these programs: ${PROGRAMS.join(', ')}. Missing: ${missing.join(', ') || 'root'}`,
      );
    }
    const cluster = new PatroniCluster();
    process.once('exit', () => cluster.remove());
    await cluster.start();
    return cluster;
  }

  async start() {
    sh('ip', 'link', 'add', this.prefix, 'type', 'bridge');
    sh('ip', 'address', 'add', `${NETWORK}.1/24`, 'dev', this.prefix);
    sh('ip', 'link', 'set', this.prefix, 'up');
    this.etcdPort = await freePort(`${NETWORK}.1`);
    const etcd = `http://${NETWORK}.1:${this.etcdPort}`;
    const peer = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
    this.run('etcd', [
      ...['--name', 'etcd', '--data-dir', join(this.directory.path, 'etcd'), '--unsafe-no-fsync'],
      ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`],
    ]);
    await until('etcd', () =>
      fetch(`${etcd}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    this.members = Array.from({ length: MEMBERS }, (_, index) => new Member(this, index + 1));
    for (const member of this.members) {
      member.connect();
      member.start();
    }
    this.port = await freePort('127.0.0.1');
    this.url = `postgres://postgres@127.0.0.1:${this.port}/postgres`;
    const file = join(this.directory.path, 'haproxy.cfg');
    writeFileSync(file, this.proxy());
    await this.healthy();
    this.run('haproxy', ['-db', '-f', file]);
    await sleep(2_000);
  }

  /** Connections go to the primary. Those to a server that is no longer the primary are closed. */
  proxy() {
    return `
defaults
  mode tcp
  maxconn 200
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${this.port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${this.members.map(({ name, host }) => `  server ${name} ${host}:5432 check port 8008`).join('\n')}
`;
  }

  run(program, args) {
    const log = openSync(join(this.directory.path, `${program}.log`), 'a');
    const child = spawn(program, args, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.processes.push(child);
  }

  /** The member that is the primary, once there is one. */
  primary(except) {
    return until('a primary', async () => {
      for (const member of this.members) if (member !== except && (await member.isPrimary())) return member;
      return undefined;
    });
  }

  /** Waits until all members follow the primary, and one of them synchronously. One that does not come back is made again. */
  async healthy() {
    let repairAt = Date.now() + REPAIR_AFTER;
    await until('all members', async () => {
      const members = await this.states();
      const leader = members.find(({ role }) => role === 'leader');
      const away = members.filter(
        ({ state, timeline }) => !['running', 'streaming'].includes(state) || timeline !== leader?.timeline,
      );
      if (leader && members.length === MEMBERS && away.length === 0) {
        return members.some(({ role }) => role === 'sync_standby');
      }
      if (leader && Date.now() > repairAt) {
        repairAt = Date.now() + REPAIR_AFTER;
        await Promise.all(away.map(({ host }) => reinitialize(host)));
        this.repairs++;
      }
      return false;
    }).catch((error) => {
      const logs = this.members.map(({ directory }) => quietly('tail', '-n', '5', join(directory, 'log')));
      throw new Error(`${error.message}\n${logs.join('\n')}`);
    });
  }

  /** The members as one of them knows them. */
  async states() {
    for (const { host } of this.members) {
      try {
        const response = await fetch(`http://${host}:8008/cluster`, { signal: AbortSignal.timeout(1_000) });
        return (await response.json()).members;
      } catch {
        // This member does not answer.
      }
    }
    return [];
  }

  remove() {
    for (const child of this.processes) child.kill('SIGKILL');
    for (const member of this.members ?? []) {
      member.signal('SIGKILL');
      quietly('ip', 'netns', 'delete', member.namespace);
    }
    quietly('ip', 'link', 'delete', this.prefix);
    this.processes = [];
    this.members = [];
  }
}
