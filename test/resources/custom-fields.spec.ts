import { randomUUID } from 'node:crypto';
import { resourceOf } from '../../src/fields/record-entity.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { ofEachKind } from '../support/size.js';
import type { Json } from '../support/document.js';
import { pathOf, resources } from '../support/resources.js';
import { Maker } from './make.js';
import { rows } from './rows.js';

/** A custom field of each type: two values, of which the first sorts before the second, and one that is none. */
interface Sample {
  settings: object;
  values: readonly [unknown, unknown];
  wrong: unknown;
  fault: string;
  isUnsortable?: true;
}

const SAMPLES: Record<string, Sample> = {
  ofText: { settings: { type: 'text' }, values: ['Apple', 'Pear'], wrong: 1, fault: 'must be a string' },
  // As a number 9 is less than 10, as a text it is more.
  ofInteger: { settings: { type: 'integer' }, values: [9, 10], wrong: 1.5, fault: 'must be an integer' },
  ofDecimal: { settings: { type: 'decimal' }, values: ['9.50', '10'], wrong: 'x', fault: 'must be a decimal number' },
  ofBoolean: { settings: { type: 'boolean' }, values: [false, true], wrong: 'true', fault: 'must be true or false' },
  ofDate: { settings: { type: 'date' }, values: ['2026-01-01', '2026-02-01'], wrong: '2026-02-30', fault: 'must be' },
  ofDateTime: {
    settings: { type: 'dateTime' },
    values: ['2026-01-01T08:30:00.000Z', '2026-01-02T08:30:00.000Z'],
    wrong: 'soon',
    fault: 'must be',
  },
  ofUrl: {
    settings: { type: 'url' },
    values: ['http://example.com/', 'https://example.com/'],
    wrong: 'example.com',
    fault: 'must be an absolute http or https address',
  },
  ofChoice: {
    settings: { type: 'choice', choices: ['gold', 'silver'] },
    values: ['gold', 'silver'],
    wrong: 'tin',
    fault: 'must be one of gold, silver',
  },
  ofTags: {
    settings: { type: 'tags' },
    values: [['core', 'edge'], ['lab']],
    wrong: 'core',
    fault: 'must be an array',
    isUnsortable: true,
  },
};
const KEYS = Object.keys(SAMPLES);
const valuesOf = (place: 0 | 1): Record<string, unknown> =>
  Object.fromEntries(Object.entries(SAMPLES).map(([key, { values }]) => [key, values[place]]));

const withFields = rows.filter(({ path }) => resources.some((resource) => pathOf(resource) === path));

let service: TestService;
let admin: Api;
let maker: Maker;
let people: [string, string];

beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
  maker = new Maker(admin, 'custom');
  const all = [...new Set(resources.map(({ record }) => resourceOf(record)!))];
  for (const [key, { settings }] of Object.entries(SAMPLES)) {
    await admin.make('/api/custom-fields', { key, resources: all, ...settings });
  }
  await admin.make('/api/custom-fields', { key: 'ofReference', type: 'reference', target: 'people', resources: all });
  people = [(await maker.record('/api/people')).id, (await maker.record('/api/people')).id];
});
afterAll(() => service.stop());

it('covers every resource of the families', () => {
  expect(withFields.map(({ path }) => path).toSorted()).toEqual(resources.map(pathOf).toSorted());
  expect(withFields.length).toBeGreaterThan(50);
});

describe.each(ofEachKind(withFields))('custom fields of $path', (row) => {
  const make = async (path: string, customFields?: object): Promise<Json> =>
    admin.make(path, { ...(await maker.required(row)), ...(customFields && { customFields }) });

  it('are kept as sent, shown the same everywhere, and in the log', async () => {
    const path = await maker.collection(row);
    const sent = { ...valuesOf(0), ofReference: people[0] };
    const made = await make(path, sent);
    expect(made.customFields).toEqual(sent);
    const at = `${path}/${made.id}`;
    expect((await admin.get(at)).body.data).toEqual(made);
    expect((await admin.get(`${path}?id=${made.id}`)).body.data).toEqual([made]);
    // Its own response changes nothing.
    expect((await admin.patch(at, made)).body.data).toEqual(made);
    const [{ after }, ...more] = (await admin.get(`${at}/changes`)).body.data;
    expect([after, more]).toEqual([
      expect.objectContaining(
        Object.fromEntries(Object.entries(sent).map(([key, value]) => [`customFields.${key}`, value])),
      ),
      [],
    ]);
    await admin.delete(at);
  });

  it('change and clear one at a time, and keep the others', async () => {
    const path = await maker.collection(row);
    const made = await make(path);
    expect(made.customFields).toEqual({});
    const at = `${path}/${made.id}`;
    const expected: Record<string, unknown> = {};
    for (const [key, { values }] of Object.entries(SAMPLES)) {
      expected[key] = values[1];
      expect((await admin.patch(at, { customFields: { [key]: values[1] } })).body.data.customFields).toEqual(expected);
    }
    const { customFields: _values, updatedAt: _changed, ...others } = (await admin.get(at)).body.data;
    expect(made).toMatchObject(others);
    for (const key of KEYS) {
      delete expected[key];
      expect((await admin.patch(at, { customFields: { [key]: null } })).body.data.customFields).toEqual(expected);
    }
    await admin.delete(at);
  });

  it('name every fault at once', async () => {
    const path = await maker.collection(row);
    const wrong = Object.fromEntries(Object.entries(SAMPLES).map(([key, sample]) => [key, sample.wrong]));
    const answer = await admin.post(path, { ...(await maker.required(row)), customFields: { ...wrong, ofNone: 1 } });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([
      ...Object.entries(SAMPLES).map(([key, { fault }]) => ({
        field: `customFields.${key}`,
        message: expect.stringContaining(fault),
      })),
      { field: 'customFields.ofNone', message: expect.stringContaining('is not a known property') },
    ]);
  });

  it('narrow and order lists', async () => {
    const path = await maker.collection(row);
    const sent = row.few ? [{ ...valuesOf(0) }] : [{ ...valuesOf(1) }, { ...valuesOf(0) }, undefined];
    const made: Json[] = [];
    for (const values of sent) made.push(await make(path, values));
    const [high, low, none] = row.few ? [undefined, made[0], undefined] : made;
    const idsOf = (records: Json[]): string[] => records.filter((one) => one !== undefined).map(({ id }) => id);
    const among = made.map(({ id }) => `id=${id}`).join('&');
    const ids = async (query: string): Promise<string[]> => {
      const { status, body } = await admin.get(`${path}?${among}&${query}`);
      if (status !== 200) throw new Error(`${query}: ${body.error}`);
      return idsOf(body.data);
    };
    for (const [key, { values, isUnsortable }] of Object.entries(SAMPLES)) {
      const name = `customFields.${key}`;
      const [first] = [values[0]].flat();
      const value = encodeURIComponent(String(first));
      expect([key, await ids(`${name}=${value}`)]).toEqual([key, idsOf([low])]);
      expect([key, await ids(`${name}__n=${value}`)]).toEqual([key, idsOf([high, none])]);
      expect([key, await ids(`${name}__empty=true`)]).toEqual([key, idsOf([none])]);
      if (isUnsortable) continue;
      expect([key, await ids(`sort=${name}`)]).toEqual([key, idsOf([low, high, none])]);
      expect([key, await ids(`sort=${name}&order=desc`)]).toEqual([key, idsOf([none, high, low])]);
    }
    for (const { id } of made) await admin.delete(`${path}/${id}`);
  });

  it('refer to records, which are shown with expand', async () => {
    const path = await maker.collection(row);
    const made = await make(path, { ofReference: people[1] });
    const at = `${path}/${made.id}`;
    const shown = (await admin.get(`${at}?expand=customFields.ofReference`)).body.data;
    expect(shown['customFields.ofReference']).toMatchObject({ id: people[1], name: expect.any(String) });
    const refused = await admin.patch(at, { customFields: { ofReference: randomUUID() } });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringContaining('customFields.ofReference does not refer to an existing record'),
    ]);
    expect((await admin.get(`${path}?customFields.ofReference=${people[1]}`)).body.total).toBe(1);
    await admin.delete(at);
  });
});
