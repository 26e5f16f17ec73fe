import { ApiError, AssetsService, ChangeAction, DevicesService, SitesService, type Error as Refusal } from './client';
import { walk } from './walk';

void walk({
  createSite: async (requestBody) => (await SitesService.createSite({ requestBody })).data,
  listSites: ({ name, createdSince }) => SitesService.listSites({ name, createdAtGte: [createdSince] }),
  clearLatitude: async (id) => (await SitesService.updateSite({ id, requestBody: { latitude: null } })).data,
  createDevice: async (requestBody) => (await DevicesService.createDevice({ requestBody })).data,
  createAsset: async (requestBody) => (await AssetsService.createAsset({ requestBody })).data,
  updatesOf: (siteId) => SitesService.listSiteChanges({ siteId, action: [ChangeAction.UPDATE] }),
  faultsOf: (requestBody) =>
    SitesService.createSite({ requestBody }).then(
      () => [],
      (error: unknown) =>
        error instanceof ApiError ? ((error.body as Refusal).details?.map(({ field }) => field) ?? []) : [],
    ),
});
