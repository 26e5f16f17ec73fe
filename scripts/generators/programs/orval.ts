import * as client from './client/client';
import { walk } from './walk';

/** The body of a response with this status. */
function answered<Answer extends { status: number; data: unknown }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }>['data'] {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.data)}`);
  return answer.data;
}

/** A list as JSON. The document has its lines of CSV and JSON too, as text. */
function listed<List extends object>(list: List | string): List {
  if (typeof list === 'string') throw new Error(`Not JSON: ${list}`);
  return list;
}

void walk({
  createSite: async (body) => answered(await client.createSite(body), 201).data,
  listSites: async ({ name, createdSince }) =>
    listed(answered(await client.listSites({ name, createdAt__gte: [createdSince] }), 200)),
  clearLatitude: async (id) => answered(await client.updateSite(id, { latitude: null }), 200).data,
  createDevice: async (body) => answered(await client.createDevice(body), 201).data,
  createAsset: async (body) => answered(await client.createAsset(body), 201).data,
  updatesOf: async (siteId) => listed(answered(await client.listSiteChanges(siteId, { action: ['update'] }), 200)),
  faultsOf: async (body) => {
    const refusal = answered(await client.createSite(body), 400);
    return 'details' in refusal ? (refusal.details?.map(({ field }) => field) ?? []) : [];
  },
});
