// oxlint-disable-next-line import/no-unassigned-import -- it finishes Angular's packages when they are loaded
import '@angular/compiler';
import { HttpClient, HttpErrorResponse, HttpHandler, HttpResponse, type HttpRequest } from '@angular/common/http';
import { firstValueFrom, from, type Observable } from 'rxjs';
import * as calls from './client/functions';
import type { Error as Refusal } from './client/models';
import type { StrictHttpResponse } from './client/strict-http-response';
import { SERVICE, walk } from './walk';

/** Replaces the browser for Angular. */
class Fetching extends HttpHandler {
  handle(request: HttpRequest<unknown>): Observable<HttpResponse<unknown>> {
    return from(this.send(request));
  }

  private async send({ method, urlWithParams: url, body }: HttpRequest<unknown>): Promise<HttpResponse<unknown>> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, body: body === null ? undefined : JSON.stringify(body) });
    const { status } = response;
    const data: unknown = await response.json();
    if (!response.ok) throw new HttpErrorResponse({ error: data, status, url });
    return new HttpResponse({ body: data, status, url });
  }
}

const http = new HttpClient(new Fetching());
const body = async <T>(answer: Observable<StrictHttpResponse<T>>): Promise<T> => (await firstValueFrom(answer)).body;

void walk({
  createSite: async (site) => (await body(calls.createSite(http, SERVICE, { body: site }))).data,
  listSites: ({ name, createdSince }) =>
    body(calls.listSites$Json(http, SERVICE, { name, createdAt__gte: [createdSince] })),
  clearLatitude: async (id) => (await body(calls.updateSite(http, SERVICE, { id, body: { latitude: null } }))).data,
  createDevice: async (device) => (await body(calls.createDevice(http, SERVICE, { body: device }))).data,
  createAsset: async (asset) => (await body(calls.createAsset(http, SERVICE, { body: asset }))).data,
  updatesOf: (siteId) => body(calls.listSiteChanges$Json(http, SERVICE, { siteId, action: ['update'] })),
  faultsOf: (site) =>
    body(calls.createSite(http, SERVICE, { body: site })).then(
      () => [],
      ({ error }: { error: Refusal }) => error.details?.map(({ field }) => field) ?? [],
    ),
});
