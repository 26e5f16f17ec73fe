import type { SourceObject } from '../model.js';

/** Renames a field. */
function rename(fields: SourceObject['fields'], from: string, to: string): void {
  if (!(from in fields)) return;
  fields[to] ??= fields[from];
  delete fields[from];
}

/** Gives a reference to a site the shape that scopes have since 4.2. */
function scope(fields: SourceObject['fields']): void {
  if (!('site' in fields) || 'scope_type' in fields) return;
  if (fields.site != null) {
    fields.scope_type = ['dcim', 'site'];
    fields.scope_id = fields.site;
  }
  delete fields.site;
}

/** Converts objects of earlier versions to the form of 4.2. */
const CHANGES: Readonly<Record<string, (fields: SourceObject['fields']) => void>> = {
  // 3.6
  'dcim.device': (fields) => rename(fields, 'device_role', 'role'),
  // 4.1
  'dcim.rack': (fields) => rename(fields, 'type', 'form_factor'),
  // 4.2
  'ipam.prefix': scope,
  'virtualization.cluster': scope,
  'circuits.circuittermination': (fields) => {
    if ('termination_type' in fields) return;
    const network: unknown = fields.provider_network;
    fields.termination_type = network == null ? ['dcim', 'site'] : ['circuits', 'providernetwork'];
    fields.termination_id = network ?? fields.site;
    for (const field of ['site', 'provider_network']) delete fields[field];
  },
  // 4.0
  'tenancy.contactassignment': (fields) => rename(fields, 'content_type', 'object_type'),
};

/** An object of any version from 3.0 on as that of a recent one. */
export function asRecent(object: SourceObject): SourceObject {
  CHANGES[object.model]?.(object.fields);
  return object;
}
