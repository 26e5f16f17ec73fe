/* The panels of a record beside its fields, one line each. A panel of a larger task comes from the folder of that task. */

import type { FunctionComponent } from 'preact';
import { onDemand } from './on-demand.js';
import { partLabel } from './model.js';
import { Part, Pointing } from './parts-of.js';
import type { PanelProps, Row } from './types.js';

interface Panel {
  /** Lists whose records show it, by their addresses in the page. If empty, all lists whose records have a status. */
  of?: readonly string[];
  /** Its place: among the buttons, above or below the fields (with room for a table), beside them, or below everything in full width. */
  place: 'actions' | 'above' | 'below' | 'beside' | 'wide';
  /** The part whose tab shows the same completely. */
  tab?: string;
  /** The parts and views of the record, by the last part of their paths, that it shows. They get no tab or picture of their own. */
  shows?: readonly string[];
  /** The fields of the record that it says in its own way. They are not shown among the others. */
  says?: readonly string[];
  view: FunctionComponent<PanelProps>;
}

/** A list below the record, such as the ports of a device. */
const part =
  (name: string, columns: string): FunctionComponent<PanelProps> =>
  (props) => <Part {...props} name={name} title={partLabel(name)} columns={columns.split(' ')} />;

/** Records that refer to it, such as the racks of a site. */
const pointing =
  (list: string, field: string, title: string, columns: string): FunctionComponent<PanelProps> =>
  (props) => <Pointing {...props} list={list} field={field} title={title} columns={columns.split(' ')} />;

/** Lists whose records have responsibilities, and lists whose records have coverage. */
const COVERED = ['/sites', '/racks', '/devices', '/clusters', '/virtual-machines', '/circuits', '/assets'];
const RESPONSIBLE = ['/regions', '/locations', ...COVERED];

export const PANELS: readonly Panel[] = [
  { of: ['/sites'], place: 'below', view: pointing('/racks', 'siteId', 'Racks', 'name locationId units status') },
  { of: ['/sites'], place: 'beside', view: pointing('/locations', 'siteId', 'Locations', 'name status') },
  {
    of: ['/racks'],
    place: 'below',
    view: pointing('/devices', 'rackId', 'Devices', 'name status deviceTypeId rackPosition'),
  },
  {
    of: ['/racks'],
    place: 'beside',
    view: onDemand(() => import('./rack/elevation.js').then((one) => one.RackElevation)),
    shows: ['elevation', 'power'],
  },
  { of: ['/devices'], place: 'below', view: part('ips', 'address status dnsName') },
  {
    of: ['/devices'],
    place: 'wide',
    tab: 'ports',
    view: onDemand(() => import('./cabling/ports.js').then((one) => one.Ports)),
  },
  {
    of: ['/virtual-machines'],
    place: 'wide',
    tab: 'interfaces',
    view: onDemand(() => import('./cabling/ports.js').then((one) => one.Interfaces)),
  },
  {
    of: ['/devices/{deviceId}/ports', '/device-ports'],
    place: 'beside',
    view: onDemand(() => import('./cabling/trace.js').then((one) => one.TraceOfPort)),
    shows: ['trace'],
  },
  {
    of: ['/cables'],
    place: 'below',
    view: onDemand(() => import('./cabling/trace.js').then((one) => one.TraceOfCable)),
  },
  {
    of: ['/circuits'],
    place: 'below',
    view: onDemand(() => import('./cabling/ends.js').then((one) => one.CircuitEnds)),
  },
  {
    of: ['/prefixes'],
    place: 'beside',
    view: onDemand(() => import('./addresses/contents.js').then((one) => one.FreeAddresses)),
  },
  {
    of: ['/prefixes'],
    place: 'below',
    view: onDemand(() => import('./addresses/contents.js').then((one) => one.Addresses)),
  },
  {
    of: ['/webhooks'],
    place: 'above',
    says: ['resources', 'actions', 'fields', 'where'],
    view: onDemand(() => import('./hooks/sentence.js').then((one) => one.SendsWhen)),
  },
  {
    of: ['/incidents'],
    place: 'above',
    view: onDemand(() => import('./incident/updates.js').then((one) => one.Updates)),
  },
  {
    of: ['/incidents'],
    place: 'beside',
    view: onDemand(() => import('./card/card.js').then((one) => one.CardOfIncident)),
    shows: ['card', 'context'],
  },
  {
    place: 'actions',
    view: onDemand(() => import('./moving/moves.js').then((one) => one.Moves)),
  },
  {
    of: ['/incidents', '/change-requests', '/maintenance-windows'],
    place: 'beside',
    view: part('targets', 'name resource'),
  },
  {
    of: ['/change-requests', '/maintenance-windows'],
    place: 'below',
    view: onDemand(() => import('./planning/clashes.js').then((one) => one.Clashes)),
  },
  {
    of: ['/change-sets'],
    place: 'above',
    view: onDemand(() => import('./delta/delta.js').then((one) => one.Delta)),
    shows: ['diff', 'operations'],
  },
  {
    of: ['/change-requests'],
    place: 'below',
    view: pointing('/change-sets', 'changeRequestId', 'Change sets', 'name status operationCount createdBy'),
  },
  { of: ['/prefixes'], place: 'below', view: part('children', 'prefix status utilisation role') },
  {
    of: ['/clusters'],
    place: 'below',
    view: pointing('/virtual-machines', 'clusterId', 'Virtual machines', 'name status vcpus memoryMb'),
  },
  { of: ['/people'], place: 'below', view: part('assets', 'name assetTag status warrantyUntil') },
  { of: ['/software-licences'], place: 'below', view: part('seats', 'name createdAt') },
  { of: ['/purchase-orders'], place: 'below', view: part('receipts', 'receivedAt receivedBy reversedAt') },
  { of: ['/stock-items'], place: 'below', view: part('levels', 'locationId siteId quantity') },
  {
    of: ['/purchase-orders'],
    place: 'below',
    view: onDemand(() => import('./labels/received.js').then((one) => one.LabelsOfReceipt)),
  },
  {
    of: ['/stocktakes'],
    place: 'above',
    view: onDemand(() => import('./counting/counting.js').then((one) => one.Counting)),
    shows: ['result', 'labels.svg'],
  },
  { of: ['/stock-items'], place: 'below', view: part('levels', 'locationId siteId quantity') },
  {
    of: ['/vendors'],
    place: 'below',
    view: pointing('/contracts', 'vendorId', 'Contracts', 'name status endDate cost'),
  },
  {
    of: ['/contracts'],
    place: 'below',
    view: pointing('/renewals', 'contractId', 'Renewals', 'name renewalDate amount'),
  },
  {
    of: RESPONSIBLE,
    place: 'beside',
    view: onDemand(() => import('./responsibility/whom-to-call.js').then((one) => one.WhomToCall)),
    shows: ['call'],
  },
  {
    of: ['/devices'],
    place: 'beside',
    view: onDemand(() => import('./rack/place.js').then((one) => one.PlaceInRack)),
  },
  {
    of: RESPONSIBLE,
    place: 'beside',
    view: onDemand(() => import('./responsibility/whom-to-call.js').then((one) => one.Responsible)),
  },
  {
    of: COVERED,
    place: 'beside',
    view: onDemand(() => import('./responsibility/whom-to-call.js').then((one) => one.Coverage)),
  },
];

/** The presentation of a list's rows instead of the table, unless columns were chosen. */
export const ROWS: Readonly<Record<string, FunctionComponent<{ rows: readonly Row[] }>>> = {
  '/api/on-call': onDemand(() => import('./timeline/now.js').then((one) => one.OnCallNow)),
};

/** What is shown instead of the rows of an unfiltered list that has none. */
export const INSTEAD: Readonly<Record<string, FunctionComponent>> = {
  '/api/utilisation': onDemand(() => import('./addresses/fullest.js').then((one) => one.Fullest)),
};
