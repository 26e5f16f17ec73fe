import { isConnectionLoss, toDomainError } from './database-errors.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

it.each([
  ['a server that refuses connections', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['a socket that does not exist', { code: 'ENOENT', syscall: 'connect' }],
  ['a server that is shutting down', { code: '57P01' }],
])('treats %s as a lost connection', (_, fields) => {
  expect(isConnectionLoss(failure(fields))).toBe(true);
  expect(toDomainError(failure(fields))?.refusal.status).toBe(503);
});

it('treats a missing file as an internal error', () => {
  const missing = failure({ code: 'ENOENT', syscall: 'open' });
  expect([isConnectionLoss(missing), toDomainError(missing)]).toEqual([false, undefined]);
});
