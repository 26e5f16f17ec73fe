import { AREAS, ROLES, tokenRights, type Area, type Role } from '../../src/access/access.js';
import { asked, isTelling } from '../support/access-rules.js';
import { startService, type TestService } from '../support/app.js';
import { document } from '../support/document.js';
import { inFull } from '../support/size.js';

/*
 * The full run requests every operation with a token of every role, with every relevant set of areas, read-only or not. Otherwise only the
 * tokens with the minimal rights, and those just below, are tested. The expected results are computed here from the contract. Allowed requests
 * have no effect.
 */

const NOBODY = '00000000-0000-4000-8000-000000000000';

const operations = Object.entries(document.paths as Record<string, object>)
  .filter(([path]) => path.startsWith('/api/') && !/^\/api\/auth\/(?:login|oidc\/)/.test(path))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })));

const sets: (readonly Area[])[] = [[], ...AREAS.map((area) => [area]), AREAS];
const tokens = ROLES.flatMap((role) =>
  sets.flatMap((areas) => [false, true].map((readOnly) => ({ role, areas, readOnly }))),
);

let service: TestService;
let texts: string[];
beforeAll(async () => {
  service = await startService();
  const admin = await service.as('admin');
  texts = [];
  for (const [index, token] of tokens.entries()) {
    texts.push((await admin.make('/api/tokens', { name: `token ${index}`, ...token })).token);
  }
});
afterAll(() => service.stop());

const reaches = (has: Role, needs: Role): boolean => ROLES.indexOf(has) >= ROLES.indexOf(needs);

it('has every operation and every token', () => {
  expect(operations.length).toBeGreaterThan(200);
  expect(tokens).toHaveLength(4 * 6 * 2);
  for (const [at, operation] of operations.entries()) {
    const { length } = tokens.filter((token) => isTelling(token, asked(operation), at));
    expect(length).toBeGreaterThanOrEqual(inFull ? tokens.length : 6);
  }
});

it.each(
  tokens.map(
    (token, index) => [`${token.role} of [${token.areas.join(', ')}], readOnly ${token.readOnly}`, index] as const,
  ),
)('a token as %s', async (_, index) => {
  const { role, areas, readOnly } = tokens[index]!;
  const found: string[] = [];
  const expected: string[] = [];
  for (const [at, operation] of operations.entries()) {
    const { method } = operation;
    const needs = asked(operation);
    if (!isTelling({ role, areas }, needs, at)) continue;
    const path = operation.path.replaceAll(/\{\w+\}/g, NOBODY);
    const { statusCode } = await service.app.inject({
      method: method as 'GET',
      // The unknown parameter is refused only after the access check.
      url: method === 'GET' ? `${path}?nonsense=1` : path,
      headers: {
        authorization: `Bearer ${texts[index]!}`,
        'content-type': path.endsWith('/import') ? 'text/csv' : 'application/json',
      },
      ...(method === 'POST' || method === 'PATCH' ? { payload: '{' } : {}),
    });
    const isRefused =
      (readOnly && method !== 'GET') ||
      needs.session ||
      !reaches(role, needs.role) ||
      (needs.area !== undefined && !areas.includes(needs.area));
    const cell = `${method} ${operation.path}`;
    expected.push(`${cell} ${isRefused ? 'refused' : 'let in'}`);
    const outcome = statusCode === 403 ? 'refused' : [200, 400, 404].includes(statusCode) ? 'let in' : statusCode;
    found.push(`${cell} ${outcome}`);
  }
  expect(found).toEqual(expected);
});

it('has the lesser role and the common areas of token and profile, whatever these are', () => {
  const subsets = Array.from({ length: 16 }, (_, bits) => AREAS.filter((_area, index) => bits & (1 << index)));
  let cells = 0;
  for (const profileRole of ROLES)
    for (const tokenRole of ROLES)
      for (const profileAreas of subsets)
        for (const tokenAreas of subsets) {
          const rights = tokenRights(
            { role: profileRole, areas: profileAreas },
            { role: tokenRole, areas: tokenAreas },
          );
          const least = Math.min(ROLES.indexOf(profileRole), ROLES.indexOf(tokenRole));
          const common = AREAS.filter((area) => profileAreas.includes(area) && tokenAreas.includes(area));
          cells++;
          if (rights.role !== ROLES[least] || rights.areas.join() !== common.join())
            throw new Error(`${profileRole} ${profileAreas.join()} with ${tokenRole} ${tokenAreas.join()}`);
        }
  expect(cells).toBe(4 * 4 * 16 * 16);
});
