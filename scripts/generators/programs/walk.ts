// The operations that every generated client must support: create, list with filters, read and write null, read the changes of a
// record, and read the details of a refusal.

interface Site {
  id: string;
  name: string;
  latitude: number | null;
}

interface Calls {
  createSite(body: { name: string; latitude: number }): Promise<Site>;
  listSites(query: { name: string[]; createdSince: string }): Promise<{ total?: number; data: Site[] }>;
  clearLatitude(id: string): Promise<Site>;
  /** Null for an enum. */
  createDevice(body: { name: string; rackFace: null }): Promise<{ rackFace: 'front' | 'rear' | null }>;
  /** Null for an object. */
  createAsset(body: { name: string }): Promise<{ currentAssignee: { fullName: string } | null }>;
  /** The site is in the path, and the list has its own filter `id`. */
  updatesOf(siteId: string): Promise<{ total?: number }>;
  /** Fields with a fault when a site is created with this body. */
  faultsOf(body: { name: string; latitude: number }): Promise<string[]>;
}

declare const process: { env: Record<string, string | undefined> };

export const SERVICE = process.env.SERVICE!;
export const SESSION = process.env.SESSION!;

const plainFetch = globalThis.fetch;

/** Gives clients that use `fetch` the service's address and the session, as a browser does. */
globalThis.fetch = (input, init) => {
  const request =
    input instanceof Request ? new Request(input, init) : new Request(new URL(String(input), SERVICE), init);
  request.headers.set('cookie', SESSION);
  return plainFetch(request);
};

function expect(what: string, given: unknown, expected: unknown): void {
  const [actual, wanted] = [JSON.stringify(given), JSON.stringify(expected)];
  if (actual !== wanted) throw new Error(`${what}: ${actual} instead of ${wanted}`);
}

export async function walk(calls: Calls): Promise<void> {
  const name = `Site ${Math.random()}`;
  const site = await calls.createSite({ name, latitude: 52.3 });
  expect('The new site', [site.name, site.latitude], [name, 52.3]);
  const page = await calls.listSites({ name: [name, 'Nowhere'], createdSince: '2026-03-01' });
  expect('Sites of two names', [page.total, page.data[0]?.id], [1, site.id]);
  const later = await calls.listSites({ name: [name, 'Nowhere'], createdSince: '2999-01-01T00:00' });
  expect('Sites created in the future', later.total, 0);
  expect('What was cleared', (await calls.clearLatitude(site.id)).latitude, null);
  expect('Rack face of a device without a rack', (await calls.createDevice({ name, rackFace: null })).rackFace, null);
  expect('Assignee of a new asset', (await calls.createAsset({ name })).currentAssignee, null);
  expect('Changes of the site', (await calls.updatesOf(site.id)).total, 1);
  expect('Fields of a refusal', await calls.faultsOf({ name, latitude: 91 }), ['latitude']);
}
