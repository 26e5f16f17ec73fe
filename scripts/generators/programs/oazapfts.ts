import { ok } from '@oazapfts/runtime';
import * as client from './client/client';
import { SERVICE, walk } from './walk';

client.defaults.baseUrl = SERVICE;

void walk({
  createSite: async (body) => (await ok(client.createSite(body))).data,
  listSites: ({ name, createdSince }) => ok(client.listSites({ name, createdAtGte: [createdSince] })),
  clearLatitude: async (id) => (await ok(client.updateSite(id, { latitude: null }))).data,
  createDevice: async (body) => (await ok(client.createDevice(body))).data,
  createAsset: async (body) => (await ok(client.createAsset(body))).data,
  updatesOf: (siteId) => ok(client.listSiteChanges(siteId, { action: ['update'] })),
  faultsOf: async (body) => {
    const answer = await client.createSite(body);
    return answer.status === 400 ? (answer.data.details?.map(({ field }) => field) ?? []) : [];
  },
});
