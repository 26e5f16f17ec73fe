import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { previewApp } from '../../src/app/preview.js';
import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { bodyFieldsOf, type Concrete, RequestBody } from '../../src/fields/field.js';
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

it(`is that of class-validator, for ${BODIES} bodies of all classes`, async () => {
  const app = await previewApp();
  const classes = [...declarationsOf(app, NO_FIELDS).operations.values()]
    .map(({ body }) => body as Concrete | undefined)
    .filter((body): body is Concrete => body !== undefined && body.prototype instanceof RequestBody);
  expect(classes.length).toBeGreaterThan(100);
  const random = new Random(58);
  const verdicts = [0, 0];
  for (let at = 0; at < BODIES; at++) {
    const body = classes[at % classes.length]!;
    const example = structuredClone(descriptionOfBody(body, NO_FIELDS).createExample());
    const instance = plainToInstance(body, example) as Record<string, unknown>;
    const fields = bodyFieldsOf(body).map(({ property }) => property);
    for (let changes = random.int(3); changes > 0 && fields.length > 0; changes--) {
      instance[random.one(fields)] = random.one(VALUES);
    }
    const errors = validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true });
    const verdict = isFaultless(instance);
    verdicts[Number(verdict)]!++;
    if (verdict !== (errors.length === 0))
      expect([body.name, instance, verdict]).toEqual([body.name, instance, errors]);
  }
  // Neither verdict is rare.
  expect(Math.min(...verdicts)).toBeGreaterThan(BODIES / 10);
  await app.close();
}, 600_000);
