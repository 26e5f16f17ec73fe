import { client } from './client/client.gen';
import * as sdk from './client';
import { SERVICE, walk } from './walk';

client.setConfig({ baseUrl: SERVICE });
const throwOnError = true;

void walk({
  createSite: async (body) => (await sdk.createSite({ body, throwOnError })).data.data,
  listSites: async ({ name, createdSince }) =>
    (await sdk.listSites({ query: { name, createdAt__gte: [createdSince] }, throwOnError })).data,
  clearLatitude: async (id) =>
    (await sdk.updateSite({ path: { id }, body: { latitude: null }, throwOnError })).data.data,
  createDevice: async (body) => (await sdk.createDevice({ body, throwOnError })).data.data,
  createAsset: async (body) => (await sdk.createAsset({ body, throwOnError })).data.data,
  updatesOf: async (siteId) =>
    (await sdk.listSiteChanges({ path: { siteId }, query: { action: ['update'] }, throwOnError })).data,
  faultsOf: async (body) => (await sdk.createSite({ body })).error?.details?.map(({ field }) => field) ?? [],
});
