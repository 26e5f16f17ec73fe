import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { LINKING, PeopleService } from './people.service.js';
import { Person } from './person.entity.js';
import { SHIFTS_AHEAD } from './shifts-ahead.js';

class CreatePerson extends CreateBody(Person) {}
class UpdatePerson extends UpdateBody(Person) {}

@Controller('api/people')
export class PeopleController extends ResourceController({
  record: Person,
  about: 'Staff and contacts, and the assets that they hold',
  view: {
    columns: ['fullName', 'email', 'jobTitle', 'department', 'siteId', 'status', 'assetCount'],
    order: 'fullName',
    groups: {
      Person: ['fullName', 'email', 'phone', 'status'],
      Work: ['jobTitle', 'department', 'employeeId', 'siteId', 'startDate'],
      Account: ['profileId', 'profile', 'assetCount', 'notes'],
    },
  },
  create: CreatePerson,
  update: UpdatePerson,
  conflicts: true,
  service: PeopleService,
  updateHeaders: SHIFTS_AHEAD,
  text: {
    create: {
      description: `Returns the whole new record, with the defaults of the fields that were not given. ${LINKING} (403).`,
    },
    update: {
      description: `Changes the fields that are sent and no others; \`null\` clears a field that may be null. ${LINKING} (403); sending back the profile that is already linked, or clearing the link, is allowed to everyone who may change people.`,
    },
  },
}) {}
