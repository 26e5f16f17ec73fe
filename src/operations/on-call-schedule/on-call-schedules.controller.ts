import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { OnCallSchedule } from './on-call-schedule.entity.js';

export class CreateOnCallScheduleDto extends CreateDto(OnCallSchedule) {}
export class UpdateOnCallScheduleDto extends UpdateDto(OnCallSchedule) {}

@Controller('api/on-call-schedules')
export class OnCallSchedulesController extends ResourceController({
  record: OnCallSchedule,
  create: CreateOnCallScheduleDto,
  update: UpdateOnCallScheduleDto,
  area: 'operations',
}) {}
