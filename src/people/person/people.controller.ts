import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { PeopleService } from './people.service.js';
import { Person } from './person.entity.js';

export class CreatePersonDto extends CreateDto(Person) {}
export class UpdatePersonDto extends UpdateDto(Person) {}

@Controller('api/people')
export class PeopleController extends ResourceController({
  record: Person,
  create: CreatePersonDto,
  update: UpdatePersonDto,
  area: 'people',
  service: PeopleService,
}) {}
