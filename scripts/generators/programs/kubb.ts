import type { Client } from '@kubb/plugin-client/clients/fetch';
import * as calls from './client';
import { walk } from './walk';

// The generated fetch client sends JSON as text, and a list as one value.
const client: Client = async ({ method, url, params, data, headers }) => {
  const query = Object.entries(params ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  const response = await fetch(`${url}?${new URLSearchParams(query)}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(data),
  });
  return { data: await response.json(), status: response.status, statusText: '', headers: response.headers };
};

void walk({
  createSite: async (body) => (await calls.createSite(body, {}, { client })).data,
  listSites: ({ name, createdSince }) => calls.listSites({ name, createdAt__gte: [createdSince] }, { client }),
  clearLatitude: async (id) => (await calls.updateSite(id, { latitude: null }, {}, { client })).data,
  createDevice: async (body) => (await calls.createDevice(body, {}, {}, { client })).data,
  createAsset: async (body) => (await calls.createAsset(body, {}, { client })).data,
  updatesOf: (siteId) => calls.listSiteChanges(siteId, { action: ['update'] }, { client }),
  faultsOf: async (body) => {
    const refusal: unknown = await calls.createSite(body, {}, { client });
    return (refusal as calls.CreateSite400).details?.map(({ field }) => field) ?? [];
  },
});
