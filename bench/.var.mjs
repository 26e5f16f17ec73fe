import { startServer, openSession, cpuOf } from './servers.mjs';
import { connect } from './database.mjs';
import { ids } from './data.mjs';
import { load } from './load.mjs';
const url = 'postgres://postgres@127.0.0.1:5432/inventory_bench_me';
const client = await connect(url);
const d = await ids(client, 'device', 2000); const a = await ids(client, 'address', 5000);
const session = openSession(url);
const ops = { p50: () => "/api/ip-addresses?pageSize=50", v50: () => "/api/vlans?pageSize=50", s50: (n) => `/api/ip-addresses?status=${["active","reserved","dhcp"][n%3]}&pageSize=50` };
for (const kind of (process.argv[2] ?? 'service,json').split(',')) {
const server = await startServer(kind, url);
for (const [k, f] of Object.entries(ops)) { const op = { request: (n) => ({ path: f(n) }) };
  await load(server, session, op, { seconds: 2 }); const c0 = cpuOf(server.pid); const r = await load(server, session, op, { seconds: 4 });
  console.log(kind, k, r.rate.toFixed(0), ((cpuOf(server.pid) - c0) / r.answered).toFixed(3)); }
await server.stop(); }
await client.end();
