import { isConnectionLoss, toDomainError, keyViolation } from './database-errors.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

it.each([
  ['a server that refuses connections', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['a socket that does not exist', { code: 'ENOENT', syscall: 'connect' }],
  ['a server that is shutting down', { code: '57P01' }],
  ['a pooler that waits in vain for its server', { code: '08P01', severity: 'FATAL' }],
])('treats %s as a lost connection', (_, fields) => {
  expect(isConnectionLoss(failure(fields))).toBe(true);
  expect(toDomainError(failure(fields))?.refusal.status).toBe(503);
});

it('says that the memory of the database is used up, which is no outage', () => {
  const { refusal } = toDomainError(failure({ code: '53200', message: 'out of shared memory' }))!;
  expect([refusal.status, refusal.message]).toEqual([503, expect.stringContaining('not have enough memory')]);
  expect(isConnectionLoss(failure({ code: '53200' }))).toBe(false);
});

it('treats a statement that the protocol forbids as an internal error', () => {
  const wrong = failure({ code: '08P01', severity: 'ERROR' });
  expect([isConnectionLoss(wrong), toDomainError(wrong)]).toEqual([false, undefined]);
});

it('treats a missing file as an internal error', () => {
  const missing = failure({ code: 'ENOENT', syscall: 'open' });
  expect([isConnectionLoss(missing), toDomainError(missing)]).toEqual([false, undefined]);
});

it.each([
  'Key (lower(email))=(a (b)@example.com) already exists.',
  'Schlüssel »(lower(email))=(a (b)@example.com)« existiert bereits.',
  'キー (lower(email))=(a (b)@example.com) はすでに存在します。',
])('reads which values are taken, in the language of the server: %s', (detail) => {
  const taken = failure({ code: '23505', table: 'people', constraint: 'uq_people_email', detail });
  expect(keyViolation(taken)).toMatchObject({ columns: 'lower(email)', values: 'a (b)@example.com' });
});

it.each([
  `Key (a_id, daterange(first, last, '[]'::text))=(1, [2026-03-01,2026-03-09)) conflicts with existing key (a_id, daterange(first, last, '[]'::text))=(1, (,2026-03-02)).`,
  `Schlüssel »(a_id, daterange(first, last, '[]'::text))=(1, [2026-03-01,2026-03-09))« kollidiert mit vorhandenem Schlüssel »(a_id, daterange(first, last, '[]'::text))=(1, (,2026-03-02))«.`,
])('reads what an exclusion found, in the language of the server: %s', (detail) => {
  const taken = failure({ code: '23P01', table: 'spans', constraint: 'ex_spans', detail });
  expect(keyViolation(taken)?.values).toBe('1, (,2026-03-02)');
});
