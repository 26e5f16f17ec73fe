import { isErrorFromAlias } from '@zodios/core';
import { api, createApiClient, schemas } from './client/client';
import { SERVICE, SESSION, walk } from './walk';

const axiosConfig = { headers: { cookie: SESSION }, paramsSerializer: { indexes: null } };
const client = createApiClient(SERVICE, { axiosConfig });
// The client validates requests with zod, and would itself refuse the invalid ones.
const unchecked = createApiClient(SERVICE, { axiosConfig, validate: 'response' });

/** Lists have too many parameters for the types of Zodios: TypeScript gives up (TS2589). */
interface Lists {
  listSites(of: { queries: { name: string[]; createdAt__gte: string[] } }): Promise<unknown>;
  listSiteChanges(of: { params: { siteId: string }; queries: { action: string[] } }): Promise<unknown>;
}
const lists = client as unknown as Lists;

void walk({
  createSite: async (body) => (await client.createSite(body)).data,
  listSites: async ({ name, createdSince }) =>
    schemas.SiteList.parse(await lists.listSites({ queries: { name, createdAt__gte: [createdSince] } })),
  clearLatitude: async (id) => (await client.updateSite({ latitude: null }, { params: { id } })).data,
  createDevice: async (body) => (await client.createDevice(body)).data,
  createAsset: async (body) => (await client.createAsset(body)).data,
  updatesOf: async (siteId) =>
    schemas.ChangeLogEntryList.parse(
      await lists.listSiteChanges({ params: { siteId }, queries: { action: ['update'] } }),
    ),
  faultsOf: (body) =>
    unchecked.createSite(body).then(
      () => [],
      (error: unknown) =>
        isErrorFromAlias(api.api, 'createSite', error) && error.response.status === 400
          ? (error.response.data.details?.map(({ field }) => field) ?? [])
          : [],
    ),
});
