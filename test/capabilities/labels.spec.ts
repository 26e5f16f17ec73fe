import { randomUUID } from 'node:crypto';
import { startService, type Api, type TestService } from '../support/app.js';
import { pictureOfPath, scanQr } from '../support/scanner.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const asset = (more: object = {}): Promise<{ id: string }> => admin.make('/api/assets', { name: 'Switch', ...more });
const faultsOf = async (path: string): Promise<[number, string, string][]> => {
  const { status, body } = await admin.get(path);
  return (body.details ?? []).map(({ field, message }: Record<string, string>) => [status, field, message]);
};

// test/browser/pictures.full.spec.ts checks the codes in a browser, and reads them back.
const codeIn = (svg: string): string | undefined => {
  const [, size, path] = /viewBox="0 0 (\d+) \d+" shape-rendering="crispEdges"><path d="([^"]+)"/.exec(svg)!;
  return scanQr(pictureOfPath(path!, Number(size), Number(size), 4));
};

describe('the label of an asset', () => {
  it('is a picture that runs no script, for every reader', async () => {
    const { id } = await asset({ name: '<script>alert("&")</script>\u202E', assetTag: '<AT>' });
    const viewer = await service.as('viewer', []);
    const { status, headers, text } = await viewer.get(`/api/assets/${id}/label.svg`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(headers.get('content-security-policy')).not.toMatch(/script-src/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toContain('<title>&#60;script&#62;');
    expect(text).toContain('&#60;AT&#62;');
    expect(text).not.toContain('<script');
    expect((await service.anonymous.get(`/api/assets/${id}/label.svg`)).status).toBe(401);
    expect((await admin.get(`/api/assets/${randomUUID()}/label.svg`)).status).toBe(404);
  });

  it('holds the address of the asset under PUBLIC_URL, or under the host of the request', async () => {
    const { id } = await asset({ assetTag: 'AT-1', serialNumber: 'S-1' });
    const path = `/api/assets/${id}/label.svg`;
    expect(codeIn((await admin.get(path)).text)).toBe(`${service.url}/api/assets/${id}`);
    expect(codeIn((await admin.get(`${path}?content=assetTag`)).text)).toBe('AT-1');
    expect(codeIn((await admin.get(`${path}?content=serialNumber&code=qr`)).text)).toBe('S-1');
    const other = await service.beside({ PUBLIC_URL: 'https://example.com/inventory/' });
    try {
      const { text } = await (await other.as('viewer')).get(path);
      expect(codeIn(text)).toBe(`https://example.com/inventory/api/assets/${id}`);
    } finally {
      await other.stop();
    }
  });

  it('needs the content of its code', async () => {
    const { id } = await asset({ assetTag: 'é漢' });
    expect(await faultsOf(`/api/assets/${id}/label.svg?content=serialNumber`)).toEqual([
      [400, 'serialNumber', `of the asset ${id} must be set to be drawn as a code`],
    ]);
    expect((await admin.get(`/api/assets/${id}/label.svg?content=assetTag`)).status).toBe(200);
    expect(await faultsOf(`/api/assets/${id}/label.svg?content=assetTag&code=code128`)).toEqual([
      [400, 'assetTag', expect.stringContaining('must consist of ASCII characters')],
    ]);
    expect(await faultsOf(`/api/assets/${id}/label.svg?content=name&code=ean&id=1`)).toEqual([
      [400, 'content', 'must be one of url, assetTag, serialNumber'],
      [400, 'code', 'must be one of qr, code128'],
      [400, 'id', expect.stringContaining('is not a known parameter')],
    ]);
  });

  it('holds every text that an asset may have', async () => {
    const { id } = await asset({ assetTag: '😀'.repeat(255), serialNumber: '~'.repeat(255) });
    expect((await admin.get(`/api/assets/${id}/label.svg?content=assetTag`)).status).toBe(200);
    expect((await admin.get(`/api/assets/${id}/label.svg?content=serialNumber&code=code128`)).status).toBe(200);
    const { status } = await admin.get(`/api/assets/${id}/label.svg`, { host: `${'x'.repeat(600)}.example` });
    expect(status).toBeLessThan(500);
  });
});

describe('a sheet of labels', () => {
  const path = (ids: readonly string[], more = ''): string =>
    `/api/assets/labels.svg?${ids.map((id) => `id=${id}`).join('&')}${more}`;

  it('has a label for each id, in their order', async () => {
    const [one, other] = [await asset({ name: 'One' }), await asset({ name: 'Other' })];
    const { text } = await admin.get(path([other.id, one.id.toUpperCase(), other.id]));
    expect([...text.matchAll(/bold"[^>]*>(\w+)</g)].map(([, name]) => name)).toEqual(['Other', 'One', 'Other']);
    expect(text).toMatch(/^<svg [^>]*width="210mm" height="297mm"/);
  });

  it('is refused with a fault for each asset', async () => {
    const [one, other] = [await asset(), await asset({ assetTag: 'AT-1' })];
    const third = await asset();
    expect(await faultsOf(path([one.id, other.id, third.id], '&content=assetTag'))).toEqual([
      [400, 'assetTag', `of the asset ${one.id} must be set to be drawn as a code`],
      [400, 'assetTag', `of the asset ${third.id} must be set to be drawn as a code`],
    ]);
    const unknown = randomUUID();
    expect(await faultsOf(path([one.id, unknown]))).toEqual([
      [404, 'id', `'${unknown}' does not name an existing asset`],
    ]);
    expect(await faultsOf('/api/assets/labels.svg')).toEqual([[400, 'id', 'must be given']]);
    expect(await faultsOf(path(['x']))).toEqual([[400, 'id', 'must be a uuid']]);
    expect(await faultsOf(path(Array.from({ length: 101 }, () => one.id)))).toEqual([
      [400, 'id', 'must be given at most 100 times'],
    ]);
  });
});
