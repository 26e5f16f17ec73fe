import type { Caller } from '../../src/access/access.js';
import { AREAS } from '../../src/config/roles.js';
import { raw, sql } from '../../src/database/sql.js';

/*
 * Rules that guard data, rights and money, each with a way to break it and the test that has to fail then. What is broken is named
 * by types, tables and columns. The compiler checks the former, and nothing depends on how a source is written.
 */

export interface Rule {
  rule: string;
  /** File of the test, and a regular expression of its name. */
  test: string;
  name: string;
  /** Whether the test needs a PostgreSQL server. */
  server?: true;
  /** Statement that breaks the rule in each database of the test. */
  sql?: string;
  /** Replaces exports of a module, before anything loads it. */
  module?: { path: string; replace(actual: object): object };
  /** Changes classes, before the first test. */
  change?(): Promise<void>;
}

/** Replaces exports of a module. @param load gives the type of the module */
const exported = <M extends object>(
  path: string,
  _load: () => Promise<M>,
  replace: (actual: M) => Partial<M>,
): Pick<Rule, 'module'> => ({ module: { path, replace: (actual) => replace(actual as M) } });

/** Runs a statement for each row that a query finds, of which the placeholders are filled with its columns. */
const forEach = (query: string, statement: string): Pick<Rule, 'sql'> => ({
  sql: `DO $$ DECLARE r record; BEGIN FOR r IN ${query} LOOP EXECUTE format('${statement}', r.t, r.n); END LOOP; END $$`,
});

/** Removes the triggers of all tables. */
const withoutTriggers = forEach(
  `SELECT DISTINCT tgrelid::regclass AS t, tgname AS n FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0`,
  'DROP TRIGGER %2$I ON %1$s',
);

/** Removes the triggers of a table. */
const withoutTriggersOf = (table: string): Pick<Rule, 'sql'> =>
  forEach(
    `SELECT tgrelid::regclass AS t, tgname AS n FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = '${table}'::regclass`,
    'DROP TRIGGER %2$I ON %1$s',
  );

/** Removes the constraints of a kind from a table. @param kind as in `pg_constraint` */
const withoutConstraints = (table: string, kind: 'c' | 'f' | 'x'): Pick<Rule, 'sql'> =>
  forEach(
    `SELECT conrelid::regclass AS t, conname AS n FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = '${kind}'`,
    'ALTER TABLE %s DROP CONSTRAINT %I CASCADE',
  );

/** Removes the unique indexes of a table that no constraint has. */
const withoutUniqueIndexes = (table: string): Pick<Rule, 'sql'> =>
  forEach(
    `SELECT i.indexrelid::regclass AS t, NULL AS n FROM pg_index i WHERE i.indrelid = '${table}'::regclass AND i.indisunique
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    'DROP INDEX %s',
  );

/** Makes a function of the database that judges something always answer no. @param signature with its parameters */
const neverTrue = (signature: string): Pick<Rule, 'sql'> => ({
  sql: `CREATE OR REPLACE FUNCTION ${signature} RETURNS boolean LANGUAGE sql STABLE AS 'SELECT false'`,
});

/** Changes the callers that the guard sees. */
const callers = (change: (caller: Caller) => Partial<Caller>): Pick<Rule, 'change'> => ({
  async change() {
    const { CredentialCallers } = await import('../../src/auth/credential-callers.js');
    const find = CredentialCallers.prototype.callerOf;
    const changed = (caller: Caller | undefined): Caller | undefined => caller && { ...caller, ...change(caller) };
    CredentialCallers.prototype.callerOf = function (request) {
      const found = find.call(this, request);
      return found instanceof Promise ? found.then(changed) : changed(found);
    };
  },
});

const expiredTokens: Pick<Rule, 'change'> = {
  async change() {
    const { Tokens } = await import('../../src/auth/token/tokens.js');
    Tokens.prototype['use'] = (token) => token?.caller;
  },
};

type PlanOf = typeof import('../../src/procurement/purchase-order/receive/receive.rules.js').planOf;

/** Changes how a receive is planned. */
const receiving = (replace: (planOf: PlanOf) => PlanOf): Pick<Rule, 'module'> =>
  exported(
    'src/procurement/purchase-order/receive/receive.rules',
    () => import('../../src/procurement/purchase-order/receive/receive.rules.js'),
    ({ planOf }) => ({ planOf: replace(planOf) }),
  );

/** Replaces what a function of coverage returns. @param parameters with their types @param select over the actual one, `f` */
const coverageFrom = (name: string, parameters: Record<string, string>, select: string): Pick<Rule, 'sql'> => ({
  sql: `DO $$ BEGIN
    ALTER FUNCTION ${name} RENAME TO f;
    CREATE VIEW f_row AS SELECT * FROM f(${Object.keys(parameters).map(() => 'NULL')});
    CREATE FUNCTION ${name}(${Object.entries(parameters).map((parameter) => parameter.join(' '))})
      RETURNS SETOF f_row LANGUAGE sql STABLE AS '${select}';
  END $$`,
});

const RECEIVE = 'test/e2e/receive.spec.ts';
const CARD = 'test/capabilities/card.spec.ts';
const COVERAGE = 'test/capabilities/coverage.spec.ts';
const RESPONSIBLE = 'test/capabilities/responsible.spec.ts';
const RULES = 'test/e2e/rules.spec.ts';
const CABLES = 'test/capabilities/cables.spec.ts';
const CUSTOM_VALUES = 'test/capabilities/custom-field-values.spec.ts';
const SEATS = 'test/capabilities/seats.spec.ts';
const TOKENS = 'test/capabilities/tokens.spec.ts';

export const rules: readonly Rule[] = [
  // Rights
  {
    rule: 'An action needs its role',
    test: RECEIVE,
    name: 'is session, role and area, shape, existence, state, quantity',
    ...callers(() => ({ role: 'admin' })),
  },
  {
    rule: 'A read-only token changes nothing',
    test: TOKENS,
    name: 'for what may change something, where it is read-only',
    ...callers(({ credential }) => ({
      credential: credential.kind === 'token' ? { ...credential, readOnly: false } : credential,
    })),
  },
  {
    rule: 'A token makes and ends no credential',
    test: TOKENS,
    name: 'for tokens, profiles, sessions and passwords, and to log out',
    ...callers(({ credential }) => ({ credential: { kind: 'session', id: credential.id } })),
  },
  { rule: 'An expired token is refused', test: TOKENS, name: 'when it has expired, and says so', ...expiredTokens },
  {
    rule: 'A token is used from its networks only',
    test: TOKENS,
    name: 'from an address outside its networks',
    ...expiredTokens,
  },
  {
    rule: 'A token has no more rights than its profile at the moment',
    test: TOKENS,
    name: 'are those of its profile at the moment, and no more than its own',
    ...exported(
      'src/access/access',
      () => import('../../src/access/access.js'),
      () => ({ tokenRights: (_profile, token) => token }),
    ),
  },
  {
    rule: 'Licence keys are read by managers only',
    test: RULES,
    name: 'are read by managers, set by editors',
    ...exported(
      'src/access/access',
      () => import('../../src/access/access.js'),
      () => ({ mayReadSecrets: () => true }),
    ),
  },
  {
    rule: 'Secrets are encrypted at rest',
    test: 'test/e2e/secrets.spec.ts',
    name: 'are not in the database',
    async change() {
      const { SealedBox } = await import('../../src/access/secrets.js');
      SealedBox.prototype.seal = (plain) => plain;
      SealedBox.prototype.open = (sealed) => sealed;
    },
  },
  {
    rule: 'Guesses of a password are limited',
    test: 'test/e2e/throttle.full.spec.ts',
    name: 'two hundred guesses at an account cost ten hashes',
    async change() {
      const { LoginThrottling } = await import('../../src/auth/password/login-throttle.js');
      LoginThrottling.prototype.attempt = (_email, _address, check) => check();
    },
  },
  {
    rule: 'Single sign-on returns to a path of this origin',
    test: 'test/capabilities/single-sign-on.full.spec.ts',
    name: String.raw`refuses to return to "//evil\.example"`,
    ...exported(
      'src/auth/oidc/return-to',
      () => import('../../src/auth/oidc/return-to.js'),
      () => ({ isPathOnThisOrigin: () => true }),
    ),
  },
  {
    rule: 'Nobody sees the tokens of others',
    test: TOKENS,
    name: 'do not exist for who is no administrator',
    ...exported(
      'src/auth/profile/own-records',
      () => import('../../src/auth/profile/own-records.js'),
      () => ({ ownRecords: () => undefined }),
    ),
  },
  {
    rule: 'Formulas in exports are guarded',
    test: 'test/capabilities/export.spec.ts',
    name: 'guards text that a spreadsheet would take for a formula',
    ...exported(
      'src/lists/csv',
      () => import('../../src/lists/csv.js'),
      () => ({ guarded: (cell) => cell, guardedText: (value) => value }),
    ),
  },
  {
    rule: 'Text in pictures is escaped',
    test: 'test/capabilities/labels.spec.ts',
    name: 'is a picture that runs no script, for every reader',
    ...exported(
      'src/http/svg',
      () => import('../../src/http/svg.js'),
      () => ({ escapedXml: (text) => text }),
    ),
  },
  // Money
  {
    rule: 'No more is received than remains on the line',
    test: RECEIVE,
    name: 'more than remains on the line',
    ...receiving((planOf) => (order, lines, ...rest) => {
      const endless = lines.map((line) => ({ ...line, quantity: Infinity }));
      return planOf(order, endless, ...rest);
    }),
  },
  {
    rule: 'Entries of one line add up',
    test: RECEIVE,
    name: 'adds up the entries of a line',
    ...receiving((planOf) => (order, lines, entries, dangling) => {
      const last = new Map(entries.map(({ itemId, quantity }) => [itemId, quantity]));
      const plan = planOf(order, lines, entries, dangling);
      return { ...plan, items: plan.items.map((item) => ({ ...item, quantity: last.get(item.itemId)! })) };
    }),
  },
  {
    rule: 'At most 1,000 units are received in one request',
    test: RECEIVE,
    name: 'units beyond 32 bits or beyond the limit of a request',
    ...exported(
      'src/fields/bodies/bodies',
      () => import('../../src/fields/bodies/bodies.js'),
      ({ addBodyRule }) => ({
        addBodyRule(target, rule) {
          if (target.name !== 'ReceivePurchaseOrder') addBodyRule(target, rule);
        },
      }),
    ),
  },
  {
    rule: 'Receiving advances the order',
    test: RECEIVE,
    name: 'advances the line, the totals and the state',
    ...receiving((planOf) => (...given) => ({ ...planOf(...given), status: 'partially_received' })),
  },
  {
    rule: 'Only orders that were placed can be received',
    test: RECEIVE,
    name: 'an order in any other state: 400',
    ...receiving(
      (planOf) =>
        (order, ...rest) =>
          planOf({ ...order, status: 'ordered' }, ...rest),
    ),
  },
  {
    rule: 'An order changes its status as permitted',
    test: 'src/procurement/purchase-order/purchase-order-status.spec.ts',
    name: 'transitionFault',
    ...exported(
      'src/procurement/purchase-order/purchase-order-status',
      () => import('../../src/procurement/purchase-order/purchase-order-status.js'),
      () => ({ transitionFault: () => undefined }),
    ),
  },
  {
    rule: 'A request with an Idempotency-Key runs once',
    test: RULES,
    name: 'repeats the first response',
    async change() {
      const { IdempotencyKeys } = await import('../../src/resource/idempotency/idempotency.js');
      IdempotencyKeys.prototype.keyOf = () => undefined;
    },
  },
  // Data
  {
    rule: 'A failed transaction changes nothing',
    test: 'test/e2e/totals.spec.ts',
    name: 'is rolled back with a failed transaction',
    async change() {
      const { Database } = await import('../../src/database/database.js');
      Database.prototype.transaction = function (work) {
        return work(this as never);
      };
    },
  },
  {
    rule: 'Each create, change and delete has its entry in the change log',
    test: 'test/e2e/change-log.spec.ts',
    name: 'has an entry for each create, change and delete',
    ...withoutTriggers,
  },
  {
    rule: 'Entries of the change log are neither changed nor deleted',
    test: 'test/e2e/change-log.spec.ts',
    name: 'refuses (DELETE|TRUNCATE)',
    ...withoutTriggers,
  },
  {
    rule: 'The id of a record never changes',
    test: 'test/e2e/history.spec.ts',
    name: 'is never another id',
    ...withoutTriggers,
  },
  {
    rule: 'Entries of profiles are read by administrators only',
    test: 'test/e2e/history.spec.ts',
    name: 'entries of the records that they may read',
    ...exported(
      'src/change-log/readable-entries',
      () => import('../../src/change-log/readable-entries.js'),
      () => ({ mayReadEntries: () => true }),
    ),
  },
  {
    rule: 'References are cleared when their record is deleted',
    test: 'test/resources/crud.spec.ts',
    name: '/api/runbooks refuses an unknown ownerId',
    ...withoutConstraints('runbooks', 'f'),
  },
  {
    rule: 'The total of a list counts its records',
    test: 'test/resources/crud.spec.ts',
    name: '/api/vrfs lists by page, with the total',
    ...withoutTriggers,
  },
  {
    rule: 'Email addresses of people are unique in any case',
    test: RULES,
    name: 'have a unique email address, ignoring case',
    ...withoutUniqueIndexes('people'),
  },
  {
    rule: 'An asset is handed out once at a time',
    test: RULES,
    name: 'are opened once, and closed once',
    ...withoutUniqueIndexes('asset_assignments'),
  },
  {
    rule: 'A location is not its own ancestor',
    test: RULES,
    name: 'cannot be their own ancestors',
    ...withoutTriggers,
  },
  {
    rule: 'A record in a location is at the site of the location',
    test: 'test/capabilities/sites-of-locations.spec.ts',
    name: 'agree with their location',
    ...withoutTriggers,
  },
  {
    rule: 'An address belongs to the device of its port',
    test: RULES,
    name: 'belong to the device of their port',
    ...withoutTriggers,
  },
  {
    rule: 'Devices in a rack do not overlap',
    test: 'test/capabilities/placement.spec.ts',
    name: 'must not overlap another one on a face that it takes',
    ...withoutTriggers,
  },
  {
    rule: 'A port has the fields of its kind only',
    test: 'test/capabilities/port-kinds.spec.ts',
    name: 'has fields of its own, and no others',
    ...withoutConstraints('device_ports', 'c'),
  },
  {
    rule: 'A cable closes no loop',
    test: CABLES,
    name: 'a loop is one whichever cable comes last',
    ...neverTrue('cable_loops(begin_id uuid)'),
  },
  {
    rule: 'Power does not feed itself',
    test: CABLES,
    name: 'is refused where power would feed itself',
    sql: `CREATE OR REPLACE FUNCTION power_fault(outlet uuid) RETURNS text LANGUAGE sql STABLE AS 'SELECT NULL::text'`,
  },
  {
    rule: 'A VRF that enforces unique addresses has each host once',
    test: 'test/capabilities/allocation.spec.ts',
    name: 'refuses a second address of a host, on create and on change',
    ...withoutTriggers,
  },
  {
    rule: 'No host of an inventory is the machine of its reader',
    test: 'test/capabilities/outputs.spec.ts',
    name: 'has no host whose name Ansible takes for itself',
    ...exported(
      'src/outputs/own-machine.ts',
      () => import('../../src/outputs/own-machine.js'),
      () => ({
        isOwnName: () => false,
      }),
    ),
  },
  {
    rule: 'A custom field that is required has a value',
    test: CUSTOM_VALUES,
    name: 'gets defaults, and needs what is required',
    // The trigger stays one for records with values.
    sql: `CREATE OR REPLACE FUNCTION hold_new_custom_fields(owner text) RETURNS void LANGUAGE sql AS 'SELECT'`,
  },
  {
    rule: 'A value of a unique custom field is there once',
    test: CUSTOM_VALUES,
    name: 'holds a value once where it is unique, decimals as numbers',
    ...withoutTriggersOf('vendors'),
  },
  {
    rule: 'A custom value obeys the bounds, choices and pattern of its field',
    test: CUSTOM_VALUES,
    name: 'has to obey bounds, choices and patterns',
    ...withoutTriggersOf('vendors'),
  },
  {
    rule: 'A custom field does not lose a choice that records have',
    test: 'test/capabilities/custom-fields.spec.ts',
    name: 'are refused while records stand against them, which are named',
    ...exported(
      'src/custom-fields/tighter-rules.ts',
      () => import('../../src/custom-fields/tighter-rules.js'),
      () => ({ brokenBy: () => undefined }),
    ),
  },
  {
    rule: 'A choice is not removed while a value of it is being written',
    test: 'test/capabilities/custom-field-races.spec.ts',
    name: 'are waited for before a choice is removed',
    server: true,
    ...exported(
      'src/database/locks.ts',
      () => import('../../src/database/locks.js'),
      ({ LOCKS }) => ({ LOCKS: { ...LOCKS, customFieldsOf: () => LOCKS.roster('another') } }),
    ),
  },
  // What holds the families together
  {
    rule: 'An agreement covers a record once on a day',
    test: COVERAGE,
    name: 'of a record has no day twice, and the answer names the other',
    ...withoutConstraints('contract_coverage', 'x'),
  },
  {
    rule: 'What a contract covers stays within its days',
    test: COVERAGE,
    name: 'cannot leave out what it covers',
    ...withoutTriggersOf('contracts'),
  },
  {
    rule: 'Coverage counts from its first day to its last',
    test: 'test/capabilities/card-movers.spec.ts',
    name: 'a day of coverage moves exactly those devices that are covered on no other day',
    ...coverageFrom('coverage_spans', { on_day: 'date' }, 'SELECT * FROM f(on_day - 1)'),
  },
  {
    rule: 'A device and its asset are covered with each other',
    test: COVERAGE,
    name: 'is that of a device and of its asset',
    ...coverageFrom(
      'what_covers',
      { of_resource: 'text', of_id: 'uuid', on_day: 'date' },
      'SELECT * FROM f(of_resource, of_id, on_day) WHERE via IS NULL',
    ),
  },
  {
    rule: 'The search for who is responsible ends at the nearest record of the kind',
    test: RESPONSIBLE,
    name: 'ends at the nearest record for each kind',
    ...exported(
      'src/operations/responsibility/responsibilities-on-way',
      () => import('../../src/operations/responsibility/responsibilities-on-way.js'),
      (actual) => ({
        responsibilitiesOn: (way, kinds) =>
          sql`SELECT seed, resource, id, distance, entry, kind, roster, person_id, created_at, distance AS nearest
            FROM (${actual.responsibilitiesOn(way, kinds)}) e`,
      }),
    ),
  },
  {
    rule: 'Who is on call is shown with the area of operations only',
    test: RESPONSIBLE,
    name: 'is shown to callers with the area of operations only',
    ...callers(() => ({ areas: [...AREAS] })),
  },
  {
    rule: 'A card is of one snapshot',
    test: 'test/capabilities/card-movers.spec.ts',
    name: 'a rack that moves in between is on a card whole, or not at all',
    server: true,
    // A part of it is read a moment before the rest.
    async change() {
      const { CardService } = await import('../../src/operations/card/card.service.js');
      const { PlainReply } = await import('../../src/http/replies.js');
      const read = CardService.prototype.read;
      CardService.prototype.read = async function (...asked) {
        const { coverage } = JSON.parse((await read.apply(this, asked)).json);
        return PlainReply.of({ ...JSON.parse((await read.apply(this, asked)).json), coverage });
      };
    },
  },
  {
    rule: 'What a type costs to replace is what was paid for it last',
    test: CARD,
    name: 'has what a change touches',
    ...exported(
      'src/operations/card/prices',
      () => import('../../src/operations/card/prices.js'),
      () => ({
        pricesOf: (of) => sql`SELECT v.id AS priced_id, a.purchase_price AS amount, o.currency::text AS currency
          FROM ${of} v LEFT JOIN assets a ON a.id = v.asset_id LEFT JOIN purchase_orders o ON o.id = a.purchase_order_id`,
      }),
    ),
  },
  {
    rule: 'Amounts of several currencies are not added',
    test: 'test/capabilities/exposure.spec.ts',
    name: 'is drawn by group, and never adds amounts of several currencies',
    ...exported(
      'src/operations/card/prices',
      () => import('../../src/operations/card/prices.js'),
      () => ({ CURRENCY: raw('NULL::text') }),
    ),
  },
  {
    rule: 'A licence never gives more seats than it has',
    test: SEATS,
    name: 'are never more than the licence has',
    ...withoutTriggersOf('software_licence_seats'),
  },
  {
    rule: 'A holder has one seat of a licence',
    test: SEATS,
    name: 'a person, an asset or a device has a seat',
    ...withoutUniqueIndexes('software_licence_seats'),
  },
  {
    rule: 'A status moves only along a transition',
    test: 'test/capabilities/transitions.spec.ts',
    name: 'is held in bulk, imports, updates of incidents, restores and SQL',
    ...withoutTriggersOf('transitions'),
  },
  {
    rule: 'A write of a record knows every transition that is committed',
    test: 'test/capabilities/transition-races.full.spec.ts',
    name: 'no record stands where no admitted path leads to',
    server: true,
    sql: `CREATE OR REPLACE FUNCTION hold_transitions_of(of_resource text, of_field text) RETURNS void LANGUAGE sql AS 'SELECT'`,
  },
  {
    rule: 'An approval of who wrote it, or of another profile of the same person, does not count',
    test: 'test/capabilities/approvals.spec.ts',
    name: 'does not count|belong to one person',
    sql: `CREATE OR REPLACE FUNCTION approval_authors(records text, record_id uuid) RETURNS TABLE (profile_id uuid, email text)
      LANGUAGE sql STABLE AS 'SELECT NULL::uuid, NULL::text WHERE false'`,
  },
  {
    rule: 'Whatever changes what was approved lets the approval lapse',
    test: 'test/capabilities/approvals.spec.ts',
    name: 'lets it lapse',
    sql: `CREATE OR REPLACE FUNCTION approval_content(records text, record jsonb) RETURNS jsonb
      LANGUAGE sql STABLE AS 'SELECT jsonb_build_object(''id'', record->>''id'')'`,
  },
];
