import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { PeopleService } from './people.service.js';
import { Person } from './person.entity.js';

export class CreatePerson extends CreateBody(Person) {}
export class UpdatePerson extends UpdateBody(Person) {}

@Controller('api/people')
export class PeopleController extends ResourceController({
  record: Person,
  create: CreatePerson,
  update: UpdatePerson,
  conflicts: true,
  area: 'people',
  service: PeopleService,
}) {}
