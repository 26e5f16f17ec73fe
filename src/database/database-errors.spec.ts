import { isConnectionLoss, toDomainError } from './database-errors.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

it.each([
  ['a server that refuses', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['a socket that is gone', { code: 'ENOENT', syscall: 'connect' }],
  ['a server that shuts down', { code: '57P01' }],
])('takes %s for a lost connection', (_, fields) => {
  expect(isConnectionLoss(failure(fields))).toBe(true);
  expect(toDomainError(failure(fields))?.refusal.status).toBe(503);
});

it('takes a file that is missing for a fault of ours', () => {
  const missing = failure({ code: 'ENOENT', syscall: 'open' });
  expect([isConnectionLoss(missing), toDomainError(missing)]).toEqual([false, undefined]);
});
