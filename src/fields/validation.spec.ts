import { NotEquals } from 'class-validator';
import { ValidationFailed } from '../http/errors.js';
import { addBodyRule, parseBody } from './bodies/bodies.js';
import { NO_FIELDS } from './custom/defined-fields.js';
import { RequestBody, type Concrete } from './field.js';
import { IntegerField, LineField, ObjectsField, TypedField, UuidField } from './fields.js';
import type { FieldType } from './types/field-type.js';
import { text } from './types/text.js';

/** Text that is stored in upper case, and refused if it is `no`. */
const shouted: FieldType = {
  ...text,
  constraints: () => [NotEquals('no', { message: 'must not be no' })],
  transform: (value) => (typeof value === 'string' && value !== 'no' ? value.toUpperCase() : value),
};

class Part extends RequestBody {
  @TypedField(shouted, 'Word', { required: true }) word!: string;
}
class Deep extends RequestBody {
  @ObjectsField('Bodies', () => Body, { required: true }) bodies!: Body[];
}
class Body extends RequestBody {
  @TypedField(shouted, 'Word') word?: string | null;
  @UuidField('Reference') reference?: string | null;
  @IntegerField('Number', { nullable: false }) count?: number;
  @LineField('Line', { required: true }) line!: string;
  @ObjectsField('Parts', () => Part, { min: 1 }) parts?: Part[];
  @ObjectsField('Two parts', () => Part, { max: 2 }) pair?: Part[];
}
const many = (length: number, part: object): object[] => Array.from({ length }, () => part);

const ruled: unknown[] = [];
addBodyRule(Body, (body) => {
  ruled.push(body.word);
  return undefined;
});

function faultsOf(body: object, dto: Concrete = Body): unknown {
  try {
    parseBody(dto, body, NO_FIELDS);
    return [];
  } catch (error) {
    return (error as ValidationFailed).extra.details!.map(({ field, message }) => ({ field, message }));
  }
}

beforeEach(() => {
  ruled.length = 0;
});

it('holds the stored form of each value', () => {
  const body = parseBody(Body, { word: 'yes', line: 'x', parts: [{ word: 'a' }, { word: 'b' }] }, NO_FIELDS);
  expect(body).toEqual({ word: 'YES', line: 'x', parts: [{ word: 'A' }, { word: 'B' }] });
  expect(body.parts![0]).toBeInstanceOf(Part);
});

it('leaves a refused value as it was sent for the rules', () => {
  expect(faultsOf({ word: 'no', line: 'x', parts: [{ word: 'a' }, { word: 'no' }] })).toEqual([
    { field: 'word', message: 'must not be no' },
    { field: 'parts[1].word', message: 'must not be no' },
  ]);
  expect(ruled).toEqual(['no']);
});

it('normalises a uuid and a negative zero', () => {
  const reference = '8D0E4B2A-7C35-4F19-9B6E-2A1C3D5E7F90';
  const { reference: stored, count } = parseBody(Body, { line: 'x', reference, count: -0 }, NO_FIELDS);
  expect([stored, count]).toEqual([reference.toLowerCase(), 0]);
});

it.each<[string, object, unknown]>([
  ['an absent required property', {}, [{ field: 'line', message: 'is required' }]],
  ['null', { line: null, count: null }, ['count', 'line'].map((field) => ({ field, message: 'must not be null' }))],
  ['null of a nullable property', { line: 'x', word: null, reference: null }, []],
  ['a text as parts', { line: 'x', parts: 'x' }, [{ field: 'parts', message: 'must be an array of objects' }]],
  ['null as parts', { line: 'x', parts: null }, [{ field: 'parts', message: 'must be an array of objects' }]],
  [
    'a part that is not an object',
    { line: 'x', parts: [{ word: 'a' }, 1] },
    [{ field: 'parts[1]', message: 'must be an object' }],
  ],
  [
    'too many parts, whatever they are',
    { line: 'x', parts: [...many(1000, { wrod: 1 }), 1] },
    [{ field: 'parts', message: 'must have at most 1,000 entries' }],
  ],
  [
    'too many parts of a field with a limit of its own',
    { line: 'x', pair: [{}, {}, {}], wrod: 1 },
    [
      { field: 'wrod', message: "is not a known property. Did you mean 'word'?" },
      { field: 'pair', message: 'must have at most 2 entries' },
    ],
  ],
  ['too few parts', { line: 'x', parts: [] }, [{ field: 'parts', message: 'must have at least one entry' }]],
])('judges %s', (_, body, faults) => {
  expect(faultsOf(body)).toEqual(faults);
});

it('reads no more parts within parts than one request can have', () => {
  const parts = many(1000, { word: 'x' });
  const bodies = [
    { line: 'x', parts },
    { line: 'x', parts },
  ];
  expect(faultsOf({ bodies: bodies.slice(1) }, Deep)).toEqual([]);
  const message = 'has too many entries: at most 2,000 in all lists of a body';
  expect(faultsOf({ bodies }, Deep)).toEqual([{ field: 'bodies[1].parts', message }]);
});

it('reads no more unknown properties than a response lists', () => {
  const body = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`p${i}`, 0]));
  const faults = faultsOf({ parts: [{ word: 'no' }, body], ...body }) as { field: string }[];
  expect([faults.length, faults[0]!.field, faults[999]!.field]).toEqual([1000, 'parts[1].p0', 'parts[1].p999']);
});
