import { isErrorFromAlias } from '@zodios/core';
import { api, createApiClient } from './client/client';
import { SERVICE, SESSION, walk } from './walk';

// It checks with zod what it sends, so that it refuses by itself what the document forbids.
const client = createApiClient(SERVICE, {
  axiosConfig: { headers: { cookie: SESSION }, paramsSerializer: { indexes: null } },
});
const unchecked = createApiClient(SERVICE, { axiosConfig: { headers: { cookie: SESSION } }, validate: 'response' });

void walk({
  createSite: async (body) => (await client.createSite(body)).data,
  listSites: ({ name, createdSince }) => client.listSites({ queries: { name, createdAt__gte: [createdSince] } }),
  clearLatitude: async (id) => (await client.updateSite({ latitude: null }, { params: { id } })).data,
  createDevice: async (body) => (await client.createDevice(body)).data,
  createAsset: async (body) => (await client.createAsset(body)).data,
  updatesOf: (siteId) => client.listSiteChanges({ params: { siteId }, queries: { action: ['update'] } }),
  faultsOf: (body) =>
    unchecked.createSite(body).then(
      () => [],
      (error: unknown) =>
        isErrorFromAlias(api.api, 'createSite', error) && error.response.status === 400
          ? (error.response.data.details?.map(({ field }) => field) ?? [])
          : [],
    ),
});
