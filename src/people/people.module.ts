import { Family } from '../resource/family.js';
import { PeopleController } from './person/people.controller.js';
import { TenantGroupsController } from './tenant-group/tenant-groups.controller.js';

@Family({ title: 'People and tenancy', controllers: [PeopleController, TenantGroupsController] })
export class PeopleModule {}
