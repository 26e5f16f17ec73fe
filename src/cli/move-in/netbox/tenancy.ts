import { LeftOut } from '../model.js';
import { generic, named, type NetboxKind } from './kind.js';

const tenant: NetboxKind = {
  model: 'tenancy.tenant',
  resource: 'tenant-groups',
  required: ['name'],
  row: (object) => {
    object.add('group', 'tenancy.tenantgroup', 'tenantGroup');
    return named(object);
  },
};

const contact: NetboxKind = {
  model: 'tenancy.contact',
  resource: 'people',
  required: ['fullName'],
  row: (object) => {
    object.add('group', 'tenancy.contactgroup', 'contactGroup');
    object.add('groups', 'tenancy.contactgroup', 'contactGroup');
    return {
      fullName: object.line('name'),
      email: object.line('email'),
      phone: object.line('phone'),
      jobTitle: object.line('title'),
      notes: object.text('comments'),
    };
  },
};

/** Kinds whose records have responsibilities. */
const RESPONSIBLE: ReadonlySet<string> = new Set([
  'dcim.region',
  'dcim.site',
  'dcim.location',
  'dcim.rack',
  'dcim.device',
  'virtualization.cluster',
  'virtualization.virtualmachine',
  'circuits.circuit',
]);

/** A contact of something is responsible for it. The role is the kind of responsibility. */
const assignment: NetboxKind = {
  model: 'tenancy.contactassignment',
  resource: 'responsibilities',
  required: ['personId'],
  row: (object, index) => {
    const about = generic(object, index, 'object_type', 'object_id');
    if (!about) throw new LeftOut('it says nothing of what it is a contact');
    if (!RESPONSIBLE.has(about.model)) throw new LeftOut(`nobody is responsible for a ${about.model} here`);
    if (!object.known.has(about.model, about.pk)) throw new LeftOut(`${about.model} ${about.pk} was not moved`);
    const owners = object.known.resourceOf(about.model)!;
    object.part = {
      path: `${owners}/${object.known.ids.of(about.model, about.pk)}/responsibilities`,
      resource: `${owners.slice(0, -1)}-responsibilities`,
    };
    return {
      personId: object.owner('contact', 'tenancy.contact'),
      kind: object.name('role', 'tenancy.contactrole') ?? undefined,
      description: object.text('priority'),
    };
  },
};

export const tenancy = { groups: [tenant], people: [contact], responsibilities: [assignment] };
