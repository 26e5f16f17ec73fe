// The reference servers: bare Fastify and pg, named prepared statements, count(*) for totals, a cached session check, JSON
// schemas for input, and the same JSON as output. They have no log, no entity tags and no OpenAPI document. `node
// bench/reference.mjs` reads rows and serialises them; with `--json` the database produces the JSON text. Both need DATABASE_URL
// and print their port.
import { createHash, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import Fastify from 'fastify';
import { Pool, types } from 'pg';

// Dates remain text. Timestamps become Date objects, whose JSON equals the service's output.
types.setTypeParser(1082, (value) => value);

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.DATABASE_POOL_SIZE) });
let statements = 0;
/** A named prepared statement. */
function prepare(text) {
  const name = `r${statements++}`;
  return async (...values) => (await pool.query({ name, text, values })).rows;
}

const asText = process.argv.includes('--json');

/** A statement that reads one record: takes its id and returns the response body, or undefined if there is no such record. */
function record(sql) {
  const run = prepare(asText ? `WITH r AS (${sql}) SELECT id, row_to_json(r)::text AS json FROM r` : sql);
  return async (...values) => {
    const [row] = await run(...values);
    return row && { id: row.id, body: asText ? `{"data":${row.json}}` : { data: row } };
  };
}

const columns = (text, alias) =>
  text
    .trim()
    .split(/\s+/)
    .map((name) => `${alias}.${name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)} AS "${name}"`)
    .join(', ');
const IP = 'id address vrfId deviceId interfaceId status role family dnsName description createdAt updatedAt';
const ISSUE = 'id name severity status affectedSystem workaround description createdAt updatedAt';
const PERSON = 'id fullName email phone jobTitle department employeeId siteId';

const sessions = new Map();
const findSession = prepare(
  `SELECT s.id FROM sessions s JOIN profiles p ON p.id = s.profile_id
   WHERE s.token_hash = $1 AND p.is_active AND s.expires_at > now() AND s.last_seen_at > now() - interval '10 hours'`,
);
async function checkSession(request, reply) {
  const token = /(?:^|; *)session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  const known = token && sessions.get(token);
  if (known > Date.now()) return;
  const [session] = token ? await findSession(createHash('sha256').update(token).digest()) : [];
  if (!session) return reply.code(401).send({ error: 'Not authenticated' });
  sessions.set(token, Date.now() + 10_000);
}

const app = Fastify({ bodyLimit: 1024 * 1024 });
app.get('/health/live', async () => ({ status: 'ok' }));
const login = prepare(
  'SELECT id, email, role, areas, is_active AS "isActive", created_at AS "createdAt", updated_at AS "updatedAt", password_hash FROM profiles WHERE lower(email) = lower($1) AND is_active',
);
const open = prepare(
  `INSERT INTO sessions (profile_id, token_hash, last_seen_at, expires_at) VALUES ($1, $2, now(), now() + interval '12 hours')`,
);
const decoy = hash('decoy');
app.post('/api/auth/login', async (request, reply) => {
  const { email, password } = request.body;
  const [profile] = await login(email);
  if (!(await verify(profile?.password_hash ?? (await decoy), password)))
    return reply.code(401).send({ error: 'Wrong email or password' });
  const token = randomBytes(32).toString('base64url');
  await open(profile.id, createHash('sha256').update(token).digest());
  const { password_hash: _, ...data } = profile;
  return reply.header('set-cookie', `session=${token}; Path=/; HttpOnly; SameSite=Lax`).send({ data });
});

const uuid = { type: 'string', format: 'uuid' };
const params = { type: 'object', properties: { id: uuid }, required: ['id'] };
const text = { type: ['string', 'null'], maxLength: 65536 };
const issueBody = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    severity: { type: 'string', maxLength: 255 },
    status: { type: 'string', maxLength: 255 },
    affectedSystem: { type: ['string', 'null'], maxLength: 255 },
    workaround: text,
    description: text,
  },
  additionalProperties: false,
};
const pageQuery = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 10000, default: 10000 },
  },
};

/** A list of a table: the response body with one page, and the number of records. */
function lister(select, from, order = 't.created_at, t.id', where = '', more = 0) {
  const records = `SELECT ${select} FROM ${from} ${where} ORDER BY ${order} LIMIT $${more + 1} OFFSET $${more + 2}`;
  const number = `SELECT count(*)::int AS total FROM ${from} ${where}`;
  if (asText) {
    const both = prepare(
      `SELECT (SELECT coalesce(json_agg(r), '[]')::text FROM (${records}) r) AS json, (${number}) AS total`,
    );
    return async ({ page, pageSize }, ...values) => {
      const [{ json, total }] = await both(...values, pageSize, (page - 1) * pageSize);
      const body = `{"data":${json},"total":${total},"page":${page},"pageSize":${pageSize},"hasMore":${page * pageSize < total}}`;
      return { total, body };
    };
  }
  const rows = prepare(records);
  const count = prepare(number);
  return async ({ page, pageSize }, ...values) => {
    const [data, [{ total }]] = await Promise.all([rows(...values, pageSize, (page - 1) * pageSize), count(...values)]);
    return { total, body: { data, total, page, pageSize, hasMore: page * pageSize < total } };
  };
}

const bodyOf = (answer) => answer.then(({ body }) => body);

app.register(async (api) => {
  api.addHook('onRequest', checkSession);
  // Text of this type is sent unchanged.
  if (asText) api.addHook('preHandler', async (_, reply) => void reply.type('application/json; charset=utf-8'));

  const address = record(`SELECT ${columns(IP, 't')} FROM ip_addresses t WHERE id = $1`);
  api.get('/api/ip-addresses/:id', { schema: { params } }, async (request, reply) => {
    const found = await address(request.params.id);
    return found?.body ?? reply.code(404).send({ error: 'IP address not found' });
  });
  const addresses = lister(columns(IP, 't'), 'ip_addresses t');
  api.get('/api/ip-addresses', { schema: { querystring: pageQuery } }, (request) => bodyOf(addresses(request.query)));

  const issues = lister(
    columns(ISSUE, 't'),
    'known_issues t',
    't.name COLLATE "C" DESC, t.id DESC',
    'WHERE t.status = $1 AND (t.name ILIKE $2 OR t.description ILIKE $2)',
    2,
  );
  api.get(
    '/api/known-issues',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: { ...pageQuery.properties, status: { type: 'string' }, search: { type: 'string' } },
        },
      },
    },
    ({ query }) => {
      const pattern = `%${query.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      return bodyOf(issues(query, query.status, pattern));
    },
  );
  const insert = record(
    `INSERT INTO known_issues AS t (name, severity, status, affected_system, workaround, description)
     VALUES ($1, coalesce($2, 'medium'), coalesce($3, 'open'), $4, $5, $6) RETURNING ${columns(ISSUE, 't')}`,
  );
  api.post('/api/known-issues', { schema: { body: { ...issueBody, required: ['name'] } } }, async ({ body }, reply) => {
    const { name, severity, status, affectedSystem, workaround, description } = body;
    const { id, body: made } = await insert(name, severity, status, affectedSystem, workaround, description);
    return reply.code(201).header('location', `/api/known-issues/${id}`).send(made);
  });
  const updates = new Map();
  api.patch('/api/known-issues/:id', { schema: { params, body: issueBody } }, async (request, reply) => {
    const names = Object.keys(request.body);
    const key = names.join();
    if (!updates.has(key)) {
      const set = names.map((name, i) => `${name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)} = $${i + 2}`);
      updates.set(
        key,
        record(
          `UPDATE known_issues t SET ${[...set, 'updated_at = now()']} WHERE id = $1 RETURNING ${columns(ISSUE, 't')}`,
        ),
      );
    }
    const changed = await updates.get(key)(request.params.id, ...Object.values(request.body));
    return changed?.body ?? reply.code(404).send({ error: 'Known issue not found' });
  });
  const remove = prepare('DELETE FROM known_issues WHERE id = $1 RETURNING id');
  api.delete('/api/known-issues/:id', { schema: { params } }, async (request, reply) => {
    const [gone] = await remove(request.params.id);
    return gone
      ? reply.code(204).removeHeader('content-type').send()
      : reply.code(404).send({ error: 'Known issue not found' });
  });

  const ips = lister(
    `${columns(IP, 't')}, p.name AS "interfaceName"`,
    'ip_addresses t LEFT JOIN device_ports p ON p.id = t.interface_id',
    't.created_at, t.id',
    'WHERE t.device_id = $1',
    1,
  );
  const device = prepare('SELECT 1 FROM devices WHERE id = $1');
  api.get('/api/devices/:id/ips', { schema: { params, querystring: pageQuery } }, async (request, reply) => {
    const { id } = request.params;
    const list = await ips(request.query, id);
    if (list.total === 0 && (await device(id)).length === 0) return reply.code(404).send({ error: 'Device not found' });
    return list.body;
  });

  const people = lister(
    `${columns(PERSON, 't')}, s.name AS "siteName", t.profile_id AS "profileId", t.status, t.start_date AS "startDate", t.notes,
     CASE WHEN f.id IS NOT NULL THEN json_build_object('id', f.id, 'email', f.email, 'role', f.role, 'isActive', f.is_active) END AS profile,
     (SELECT count(*)::int FROM asset_assignments a WHERE a.person_id = t.id AND a.returned_at IS NULL) AS "assetCount",
     t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
    'people t LEFT JOIN sites s ON s.id = t.site_id LEFT JOIN profiles f ON f.id = t.profile_id',
  );
  api.get('/api/people', { schema: { querystring: pageQuery } }, (request) => bodyOf(people(request.query)));

  const unit = {
    type: 'object',
    properties: {
      serialNumber: { type: 'string' },
      assetTag: { type: 'string' },
      siteId: uuid,
      locationId: uuid,
      notes: { type: 'string' },
    },
    additionalProperties: false,
  };
  const receipt = {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            itemId: uuid,
            quantity: { type: 'integer', minimum: 1 },
            assets: { type: 'array', items: unit },
          },
          required: ['itemId', 'quantity', 'assets'],
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
    additionalProperties: false,
  };
  api.post('/api/purchase-orders/:id/receive', { schema: { params, body: receipt } }, async (request, reply) => {
    const client = await pool.connect();
    const refuse = async (code, error) => {
      await client.query('ROLLBACK');
      return reply.code(code).send({ error });
    };
    try {
      await client.query('BEGIN');
      const {
        rows: [order],
      } = await client.query({
        name: 'lock',
        text: 'SELECT * FROM purchase_orders WHERE id = $1 FOR UPDATE',
        values: [request.params.id],
      });
      if (!order) return await refuse(404, 'Purchase order not found');
      if (!['ordered', 'partially_received'].includes(order.status))
        return await refuse(400, 'The order cannot be received');
      const { rows: lines } = await client.query({
        name: 'lines',
        text: 'SELECT * FROM purchase_order_items WHERE purchase_order_id = $1',
        values: [order.id],
      });
      const assetIds = [];
      for (const { itemId, quantity, assets } of request.body.items) {
        const line = lines.find(({ id }) => id === itemId);
        if (!line) return await refuse(404, 'Item not found');
        if (assets.length !== quantity) return await refuse(400, 'assets must have one entry per unit');
        line.quantity_received += quantity;
        if (line.quantity_received > line.quantity) return await refuse(400, 'quantity exceeds what remains');
        const { rows } = await client.query({
          name: 'assets',
          text: `INSERT INTO assets (name, serial_number, asset_tag, category_id, manufacturer_id, site_id, location_id, purchase_order_id, purchased_at, warranty_until, purchase_price, notes)
            SELECT $1, u.serial, u.tag, $2, $3, coalesce(u.site, $4), coalesce(u.location, $5), $6, coalesce($7::timestamptz, now()), now() + make_interval(months => $8), $9, u.notes
            FROM unnest($10::text[], $11::text[], $12::uuid[], $13::uuid[], $14::text[]) AS u (serial, tag, site, location, notes) RETURNING id`,
          values: [
            line.name,
            line.category_id,
            line.manufacturer_id,
            order.site_id,
            order.location_id,
            order.id,
            order.order_date,
            line.warranty_months,
            line.unit_price,
            ...['serialNumber', 'assetTag', 'siteId', 'locationId', 'notes'].map((key) =>
              assets.map((asset) => asset[key] ?? null),
            ),
          ],
        });
        assetIds.push(...rows.map((row) => row.id));
        await client.query({
          name: 'counter',
          text: 'UPDATE purchase_order_items SET quantity_received = $2, updated_at = now() WHERE id = $1',
          values: [itemId, line.quantity_received],
        });
      }
      const done = lines.every((line) => line.quantity_received === line.quantity);
      await client.query({
        name: 'advance',
        text: `UPDATE purchase_orders SET status = $2, received_date = CASE WHEN $3 THEN current_date END, updated_at = now() WHERE id = $1`,
        values: [order.id, done ? 'received' : 'partially_received', done],
      });
      await client.query('COMMIT');
      return { data: { assetIds, count: assetIds.length } };
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  });
});

process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
