import { isDeepStrictEqual } from 'node:util';
import { plainToInstance } from 'class-transformer';
import type { INestApplication } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { previewApp } from '../../src/app/preview.js';
import { readBody } from '../../src/fields/bodies/bodies.js';
import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { bodyFieldsOf, type Concrete, RequestBody } from '../../src/fields/field.js';
import type { Fault } from '../../src/http/errors.js';
import { isFaultless } from '../../src/fields/verdict.js';
import { descriptionOfBody } from '../../src/openapi/body.js';
import { declarationsOf } from '../../src/openapi/document/declared.js';
import { Random } from '../hostile/random.js';
import { inFull } from '../support/size.js';

const BODIES = inFull ? 100_000 : 2_000;

/** Values of every kind, most of which most fields refuse. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'active',
  'a'.repeat(70_000),
  'two\nlines',
  '10.0.0.1/24',
  'EUR',
  '2026-03-01',
  '2026-03-01T08:30:00Z',
  '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90',
  'ada@example.com',
  '12.50',
  true,
  0,
  -1,
  7,
  0.5,
  1e12,
  NaN,
  [],
  ['a'],
  ['a', 'a'],
  [1, 'b', null],
  {},
  { a: 1 },
  [{}],
  [null],
  [[]],
];

const random = new Random(58);
let app: INestApplication;
let classes: Concrete[];

beforeAll(async () => {
  app = await previewApp();
  classes = [...declarationsOf(app, NO_FIELDS).operations.values()]
    .map(({ body }) => body as Concrete | undefined)
    .filter((body): body is Concrete => body !== undefined && body.prototype instanceof RequestBody);
});

it('has the classes of all bodies', () => {
  expect(classes.length).toBeGreaterThan(100);
});

afterAll(() => app.close());

/** The class of a body, and a body: its example, of which up to two properties have another value. */
function bodyAt(at: number): { body: Concrete; sent: Record<string, unknown> } {
  const body = classes[at % classes.length]!;
  const sent = structuredClone(descriptionOfBody(body, NO_FIELDS).createExample()) as Record<string, unknown>;
  const fields = bodyFieldsOf(body).map(({ property }) => property);
  for (let changes = random.int(3); changes > 0 && fields.length > 0; changes--) {
    sent[random.one(fields)] = random.one(VALUES);
  }
  return { body, sent };
}

const verdictOf = (instance: object): ValidationError[] =>
  validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true });

it(`is that of class-validator, for ${BODIES} bodies of all classes`, () => {
  const verdicts = [0, 0];
  for (let at = 0; at < BODIES; at++) {
    const { body, sent } = bodyAt(at);
    const instance = Object.assign(new body(), plainToInstance(body, {}), sent);
    const errors = verdictOf(instance);
    const verdict = isFaultless(instance);
    verdicts[Number(verdict)]!++;
    if (verdict !== (errors.length === 0))
      expect([body.name, instance, verdict]).toEqual([body.name, instance, errors]);
  }
  // Neither verdict is rare.
  expect(Math.min(...verdicts)).toBeGreaterThan(BODIES / 10);
}, 600_000);

it(`reads ${BODIES} bodies as class-transformer does, and finds the faults of class-validator`, () => {
  const counts = { read: 0, refused: 0 };
  for (let at = 0; at < BODIES; at++) {
    const { body, sent } = bodyAt(at);
    const faults: Fault[] = [];
    const instance = readBody(body, sent, '', faults, NO_FIELDS);
    // JSON is read as text.
    const json = bodyFieldsOf(body).filter((field) => field.kind === 'stored' && field.type.isJson);
    const texts = json.flatMap(({ property }) =>
      sent[property] == null ? [] : [[property, JSON.stringify(sent[property])] as const],
    );
    const expected = plainToInstance(body, { ...sent, ...Object.fromEntries(texts) }, { exposeUnsetFields: false });
    const errors = verdictOf(expected);
    for (const { property, constraints } of errors) {
      const [message] = Object.values(constraints ?? {});
      const found = faults.find(({ field }) => field === property || field.startsWith(`${property}[`));
      if (!found || (message !== undefined && !message.endsWith(found.message)))
        expect([body.name, sent, property, found?.message]).toEqual([body.name, sent, property, message]);
    }
    if (errors.length > 0) counts.refused++;
    // Rules over several fields find further faults.
    if (errors.length > 0 || faults.length > 0) continue;
    counts.read++;
    if (!isDeepStrictEqual(instance, expected)) expect([body.name, instance]).toStrictEqual([body.name, expected]);
  }
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(BODIES / 10);
}, 600_000);
