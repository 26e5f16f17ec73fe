import { randomUUID } from 'node:crypto';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

type Made = { id: string; name: string };
const make = (resource: string, body: object): Promise<Made> => admin.make(`/api/${resource}`, body) as Promise<Made>;

const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/** Makes somebody responsible for a record. */
const says = (resource: string, { id }: Made, body: object): Promise<Made> =>
  make(`${resource}/${id}/responsibilities`, body);

async function responsible(resource: string, { id }: Made, query = '', caller = admin): Promise<Answer> {
  const answer = await caller.get(`/api/${resource}/${id}/responsible${query}`);
  expect(answer.status).toBe(200);
  return answer;
}

interface Party {
  kind: string;
  roster: string | null;
  person: { fullName: string } | null;
  via: { name: string };
  distance: number;
}

/** The responsible people and rosters, each as `distance kind who via`. */
const lines = ({ body }: Answer): string[] =>
  (body.data as Party[]).map(
    ({ distance, kind, roster, person, via }) => `${distance} ${kind} ${roster ?? person!.fullName} via ${via.name}`,
  );

/** Creates a roster with one shift and a unique name. */
async function onCall(name: string, shift: object = {}): Promise<Made & { person: Made & { fullName: string } }> {
  const person = (await make('people', { fullName: `Person of ${name}`, phone: '+31 20 1234567' })) as never;
  const { id } = person as Made;
  const made = await make('on-call-schedules', {
    name: `${name} shift`,
    rotation: name,
    personId: id,
    startTime: inHours(-2),
    endTime: inHours(2),
    ...shift,
  });
  return { ...made, person };
}

async function estate() {
  const world = await make('regions', { name: 'World' });
  const europe = await make('regions', { name: 'Europe', parentId: world.id });
  const site = await make('sites', { name: 'Amsterdam', regionId: europe.id });
  const room = await make('locations', { name: 'Room', siteId: site.id });
  const cage = await make('locations', { name: 'Cage', parentId: room.id });
  const rack = await make('racks', { name: 'A1', locationId: cage.id });
  const asset = await make('assets', { name: 'Chassis', locationId: room.id });
  const device = await make('devices', { name: 'core', rackId: rack.id, assetId: asset.id });
  const cluster = await make('clusters', { name: 'vsphere', siteId: site.id });
  const machine = await make('virtual-machines', { name: 'web', clusterId: cluster.id });
  return { world, europe, site, room, cage, rack, asset, device, cluster, machine };
}

describe('a responsibility', () => {
  it('names a roster or a person, and has a name', async () => {
    const { rack } = await estate();
    const person = await make('people', { fullName: 'Ada Lovelace' });
    const roster = await says('racks', rack, { roster: 'Not yet' });
    expect(roster).toEqual({
      id: expect.any(String),
      kind: 'operates',
      roster: 'Not yet',
      personId: null,
      name: 'Not yet',
      description: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const owner = await says('racks', rack, { personId: person.id, kind: 'owns', description: 'For the auditors' });
    expect(owner).toMatchObject({ roster: null, personId: person.id, name: 'Ada Lovelace', kind: 'owns' });
  });

  it('names exactly one of both', async () => {
    const { rack } = await estate();
    const person = await make('people', { fullName: 'Ada Lovelace' });
    const path = `/api/racks/${rack.id}/responsibilities`;
    for (const body of [{}, { roster: null }, { kind: 'owns' }]) {
      const refused = await admin.post(path, body);
      expect([refused.status, refused.body.details]).toEqual([
        400,
        [{ field: 'roster', message: 'must be given if personId is not: a roster or a person is responsible' }],
      ]);
    }
    const both = await admin.post(path, { roster: 'Network', personId: person.id });
    expect([both.status, both.body.details[0].field]).toEqual([400, 'personId']);
    const made = await says('racks', rack, { roster: 'Network' });
    const one = `${path}/${made.id}`;
    expect((await admin.patch(one, { personId: person.id })).body.details).toEqual([
      { field: 'personId', message: 'must be null if roster is set: either a roster or a person is responsible' },
    ]);
    expect((await admin.patch(one, { roster: null })).body.details[0].field).toBe('roster');
    const changed = await admin.patch(one, { roster: null, personId: person.id });
    expect([changed.status, changed.body.data.name]).toEqual([200, 'Ada Lovelace']);
    expect((await admin.patch(one, { description: 'By hand' })).status).toBe(200);
  });

  it('is there once for each kind', async () => {
    const { rack } = await estate();
    const person = await make('people', { fullName: 'Ada Lovelace' });
    const path = `/api/racks/${rack.id}/responsibilities`;
    for (const who of [{ roster: 'Network' }, { personId: person.id }]) {
      const first = await says('racks', rack, who);
      const again = await admin.post(path, who);
      expect([again.status, again.body.details[0].field]).toEqual([409, Object.keys(who)[0]]);
      expect(again.body.details[0].message).toContain(first.id);
      await says('racks', rack, { ...who, kind: 'owns' });
    }
  });

  it('ends with the record and with the person, and comes back with them', async () => {
    const { site } = await estate();
    const person = await make('people', { fullName: 'Ada Lovelace' });
    const made = await says('sites', site, { personId: person.id });
    const logged = async (): Promise<string[]> =>
      (await admin.get(`/api/change-log?resource=site-responsibilities&recordId=${made.id}`)).body.data.map(
        ({ action }: { action: string }) => action,
      );
    expect((await admin.delete(`/api/people/${person.id}`)).status).toBe(204);
    expect(await logged()).toEqual(['create', 'delete']);
    expect((await admin.post(`/api/people/${person.id}/restore?relink=true`, {})).status).toBe(200);
    const path = `/api/sites/${site.id}/responsibilities/${made.id}`;
    expect((await admin.get(path)).body.data.personId).toBe(person.id);
    expect((await admin.delete(`/api/sites/${site.id}`)).status).toBe(204);
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.post(`/api/sites/${site.id}/restore?relink=true`, {})).status).toBe(200);
    expect((await admin.get(path)).body.data.personId).toBe(person.id);
  });

  it('is written by those who may write its owner', async () => {
    const { device, asset } = await estate();
    const network = await service.as('editor', ['network']);
    const procurement = await service.as('editor', ['procurement']);
    const body = { roster: 'Network' };
    expect((await procurement.post(`/api/devices/${device.id}/responsibilities`, body)).status).toBe(403);
    expect((await network.post(`/api/devices/${device.id}/responsibilities`, body)).status).toBe(201);
    expect((await network.post(`/api/assets/${asset.id}/responsibilities`, body)).status).toBe(403);
    expect((await procurement.post(`/api/assets/${asset.id}/responsibilities`, body)).status).toBe(201);
  });
});

describe('who is responsible', () => {
  it('is said by the record, or by what contains it, outward', async () => {
    const { world, europe, site, room, cage, rack, device, cluster, machine, asset } = await estate();
    for (const [resource, record] of [
      ['regions', world],
      ['regions', europe],
      ['sites', site],
      ['locations', room],
      ['locations', cage],
      ['racks', rack],
      ['devices', device],
      ['clusters', cluster],
      ['virtual-machines', machine],
      ['assets', asset],
    ] as const) {
      await says(resource, record, { roster: `R ${record.name}` });
    }
    const around = ['A1', 'Cage', 'Room', 'Amsterdam', 'Europe', 'World'];
    const way = (...names: string[]): string[] => names.map((name, at) => `${at} operates R ${name} via ${name}`);
    expect(lines(await responsible('devices', device, '?all=true'))).toEqual(way('core', ...around));
    expect(lines(await responsible('racks', rack, '?all=true'))).toEqual(way(...around));
    expect(lines(await responsible('locations', cage, '?all=true'))).toEqual(way(...around.slice(1)));
    expect(lines(await responsible('sites', site, '?all=true'))).toEqual(way('Amsterdam', 'Europe', 'World'));
    expect(lines(await responsible('regions', europe, '?all=true'))).toEqual(way('Europe', 'World'));
    expect(lines(await responsible('virtual-machines', machine, '?all=true'))).toEqual(
      way('web', 'vsphere', 'Amsterdam', 'Europe', 'World'),
    );
    expect(lines(await responsible('assets', asset, '?all=true'))).toEqual(way('Chassis', 'core', ...around));
    expect(lines(await responsible('devices', device))).toEqual(way('core'));
    expect(lines(await responsible('devices', device, '?all=false'))).toEqual(way('core'));
  });

  it('ends at the nearest record for each kind', async () => {
    const { site, rack, room, device } = await estate();
    const ada = await make('people', { fullName: 'Ada' });
    await says('sites', site, { roster: 'Facilities' });
    await says('sites', site, { personId: ada.id, kind: 'owns' });
    await says('sites', site, { personId: ada.id, kind: 'approves' });
    await says('locations', room, { roster: 'Room team' });
    await says('racks', rack, { roster: 'Second' });
    await says('racks', rack, { roster: 'First', kind: 'zz' });
    await says('racks', rack, { roster: 'Third' });
    expect(lines(await responsible('devices', device))).toEqual([
      '1 operates Second via A1',
      '1 operates Third via A1',
      '1 zz First via A1',
      '4 owns Ada via Amsterdam',
      '4 approves Ada via Amsterdam',
    ]);
    expect(lines(await responsible('devices', device, '?kind=owns&kind=zz'))).toEqual([
      '1 zz First via A1',
      '4 owns Ada via Amsterdam',
    ]);
    expect(lines(await responsible('devices', device, '?kind=operates&all=true'))).toEqual([
      '1 operates Second via A1',
      '1 operates Third via A1',
      '3 operates Room team via Room',
      '4 operates Facilities via Amsterdam',
    ]);
  });

  it('has its own site where its location has none', async () => {
    const here = await make('sites', { name: 'Here' });
    const room = await make('locations', { name: 'Room' });
    const device = await make('devices', { name: 'core', siteId: here.id, locationId: room.id });
    await says('sites', here, { roster: 'Here' });
    expect(lines(await responsible('devices', device))).toEqual(['2 operates Here via Here']);
  });

  it('is the same for an asset as for its devices, and its own place without any', async () => {
    const { asset, site, room, rack, device } = await estate();
    await says('racks', rack, { roster: 'Rack' });
    await says('locations', room, { roster: 'Room' });
    expect(lines(await responsible('assets', asset))).toEqual(['2 operates Rack via A1']);
    const second = await make('devices', { name: 'second', assetId: asset.id, siteId: site.id });
    await says('sites', site, { roster: 'Site' });
    expect(lines(await responsible('assets', asset, '?all=true'))).toEqual([
      '2 operates Rack via A1',
      '2 operates Site via Amsterdam',
      '4 operates Room via Room',
    ]);
    for (const { id } of [device, second]) await admin.patch(`/api/devices/${id}`, { assetId: null });
    expect(lines(await responsible('assets', asset))).toEqual(['1 operates Room via Room']);
  });

  it('is at the sites of the ends of a circuit', async () => {
    const vendor = await make('vendors', { name: `Carrier ${randomUUID()}` });
    const circuit = await make('circuits', { circuitNumber: 'AMS-LON', vendorId: vendor.id });
    const region = await make('regions', { name: 'Isles' });
    const [amsterdam, london] = [
      await make('sites', { name: 'AMS' }),
      await make('sites', { name: 'LON', regionId: region.id }),
    ];
    await make(`circuits/${circuit.id}/terminations`, { side: 'A', siteId: amsterdam.id });
    await make(`circuits/${circuit.id}/terminations`, { side: 'Z', siteId: london.id });
    await says('sites', amsterdam, { roster: 'A' });
    await says('sites', london, { roster: 'Z' });
    await says('regions', region, { roster: 'R', kind: 'owns' });
    expect(lines(await responsible('circuits', circuit)).toSorted()).toEqual([
      '1 operates A via AMS',
      '1 operates Z via LON',
      '2 owns R via Isles',
    ]);
    await says('circuits', circuit, { roster: 'Own' });
    expect(lines(await responsible('circuits', circuit, '?kind=operates'))).toEqual(['0 operates Own via AMS-LON']);
  });

  it('is one page of a list, and a file', async () => {
    const { rack } = await estate();
    for (const roster of ['One', 'Two', 'Three']) await says('racks', rack, { roster });
    const page = await responsible('racks', rack, '?pageSize=2&page=2');
    expect([lines(page), page.body.total, page.body.hasMore]).toEqual([['0 operates Three via A1'], 3, false]);
    const file = await admin.get(`/api/racks/${rack.id}/responsible?format=csv`);
    const [header, first] = file.text.split('\r\n');
    const person = (name: string): string =>
      ['id', 'fullName', 'email', 'phone', 'status'].map((one) => `${name}.${one}`).join();
    expect(header).toBe(
      `kind,roster,${person('person')},via.resource,via.id,via.name,distance,onCall.reason,onCall.roster,onCall.scheduleId,onCall.name,onCall.startTime,onCall.endTime,${person('onCall.person')},onCall.next.scheduleId,onCall.next.startTime,${person('onCall.next.person')}`,
    );
    expect(first).toBe(`operates,One,,,,,,racks,${rack.id},A1,0,no_roster${','.repeat(17)}`);
  });

  it('is a 404 for a record that does not exist', async () => {
    for (const resource of ['regions', 'assets', 'circuits']) {
      const answer = await admin.get(`/api/${resource}/${randomUUID()}/responsible`);
      expect(answer.status).toBe(404);
    }
    expect((await admin.get(`/api/racks/${randomUUID()}/responsible?format=csv`)).status).toBe(404);
    expect((await admin.get('/api/racks/no-id/responsible')).status).toBe(400);
  });

  it('refuses parameters that it does not know', async () => {
    const { rack } = await estate();
    for (const query of ['at=yesterday', 'all=maybe', 'knd=owns', 'at=2026-01-01&at=2026-01-02']) {
      expect((await admin.get(`/api/racks/${rack.id}/responsible?${query}`)).status).toBe(400);
    }
  });

  it('moves with a rack', async () => {
    const { rack, device } = await estate();
    const other = await make('sites', { name: 'Other' });
    await says('sites', other, { roster: 'Others' });
    expect(lines(await responsible('devices', device))).toEqual([]);
    await admin.patch(`/api/racks/${rack.id}`, { locationId: null, siteId: other.id });
    expect(lines(await responsible('devices', device))).toEqual(['2 operates Others via Other']);
  });
});

describe('who is on call', () => {
  it('is what the list of those on call says', async () => {
    const { rack, device } = await estate();
    const name = `Net ${randomUUID()}`;
    const shift = await onCall(name);
    await make('on-call-schedules', { name: 'next', rotation: name, startTime: inHours(2), endTime: inHours(4) });
    await says('racks', rack, { roster: name });
    await says('racks', rack, { personId: shift.person.id });
    const [covered, person] = (await responsible('devices', device)).body.data;
    const [said] = (await admin.get(`/api/on-call?roster=${encodeURIComponent(name)}`)).body.data;
    expect(said.scheduleId).toBe(shift.id);
    expect(covered.onCall).toEqual(said);
    expect(covered.person).toBeNull();
    expect(person).toMatchObject({ roster: null, onCall: null });
    expect(person.person).toEqual(said.person);
  });

  it('is nobody for a reason', async () => {
    const { rack, device } = await estate();
    const reasonOf = async (name: string, query = ''): Promise<unknown> => {
      const { body } = await responsible('devices', device, `?kind=${name}${query}`);
      return body.data[0].onCall;
    };
    const cases = {
      no_roster: undefined,
      no_shift: { startTime: inHours(-4), endTime: inHours(-2) },
      nobody_assigned: { personId: null },
    };
    for (const [reason, shift] of Object.entries(cases)) {
      const roster = `${reason} ${randomUUID()}`;
      if (shift) await onCall(roster, shift);
      await says('racks', rack, { roster, kind: reason });
      expect(await reasonOf(reason)).toEqual({ person: null, reason });
    }
    const roster = `inactive ${randomUUID()}`;
    const { person } = await onCall(roster);
    await onCall(roster, { personId: null });
    await admin.patch(`/api/people/${person.id}`, { status: 'inactive' });
    await says('racks', rack, { roster, kind: 'person_inactive' });
    expect(await reasonOf('person_inactive')).toEqual({ person: null, reason: 'person_inactive' });
    // Its shift ended more than 90 days ago.
    const later = inHours(2 + 90 * 24);
    expect(await reasonOf('no_shift', `&at=${later}`)).toEqual({ person: null, reason: 'no_roster' });
  });

  it('is the one whose shift began last', async () => {
    const { rack } = await estate();
    const name = `Net ${randomUUID()}`;
    await onCall(name, { startTime: null, endTime: null });
    const last = await onCall(name, { startTime: inHours(-1) });
    await onCall(name, { startTime: inHours(-1.5) });
    await onCall(name, { startTime: inHours(-0.5), personId: null });
    await says('racks', rack, { roster: name });
    const [entry] = (await responsible('racks', rack)).body.data;
    expect(entry.onCall.scheduleId).toBe(last.id);
    const [then] = (await responsible('racks', rack, `?at=${inHours(-3)}`)).body.data;
    expect(then.onCall.startTime).toBeNull();
  });

  it('is shown to callers with the area of operations only', async () => {
    const { rack } = await estate();
    const name = `Net ${randomUUID()}`;
    await onCall(name);
    await says('racks', rack, { roster: name });
    const outsider = await service.as('viewer', ['network']);
    const { body } = await responsible('racks', rack, '', outsider);
    expect(Object.keys(body.data[0]).toSorted()).toEqual(['distance', 'kind', 'person', 'roster', 'via']);
    const file = await outsider.get(`/api/racks/${rack.id}/responsible?format=csv`);
    expect(file.text).not.toContain('Person of');
    expect(file.text).not.toContain('onCall');
    const insider = await service.as('viewer', ['operations']);
    expect((await responsible('racks', rack, '', insider)).body.data[0].onCall.person.fullName).toBe(
      `Person of ${name}`,
    );
    const elsewhere = await service.as('admin', ['network']);
    expect((await responsible('racks', rack, '', elsewhere)).body.data[0]).not.toHaveProperty('onCall');
  });
});
