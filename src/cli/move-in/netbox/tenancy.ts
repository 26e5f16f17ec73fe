import { named, type NetboxKind } from './kind.js';

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

export const tenancy = { groups: [tenant], people: [contact] };
