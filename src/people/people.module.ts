import { Module } from '@nestjs/common';
import { PeopleController } from './person/people.controller.js';
import { TenantGroupsController } from './tenant-group/tenant-groups.controller.js';

@Module({ controllers: [PeopleController, TenantGroupsController] })
export class PeopleModule {}
