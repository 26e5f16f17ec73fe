import { Api, ChangeAction, type Error as Refusal } from './client/client';
import { SERVICE, walk } from './walk';

const { api } = new Api({ baseUrl: SERVICE });

void walk({
  createSite: async (body) => (await api.createSite(body)).data.data,
  listSites: async ({ name, createdSince }) => (await api.listSites({ name, createdAt__gte: [createdSince] })).data,
  clearLatitude: async (id) => (await api.updateSite(id, { latitude: null })).data.data,
  createDevice: async (body) => (await api.createDevice(body)).data.data,
  createAsset: async (body) => (await api.createAsset(body)).data.data,
  updatesOf: async (siteId) => (await api.listSiteChanges(siteId, { action: [ChangeAction.Update] })).data,
  faultsOf: (body) =>
    api.createSite(body).then(
      () => [],
      ({ error }: { error: Refusal }) => error.details?.map(({ field }) => field) ?? [],
    ),
});
