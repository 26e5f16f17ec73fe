import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { OnCallSchedule } from './on-call-schedule.entity.js';

class CreateOnCallSchedule extends CreateBody(OnCallSchedule) {}
class UpdateOnCallSchedule extends UpdateBody(OnCallSchedule) {}

@Controller('api/on-call-schedules')
export class OnCallSchedulesController extends ResourceController({
  record: OnCallSchedule,
  about: 'Who is on call, and when',
  view: {
    columns: ['name', 'personId', 'startTime', 'endTime', 'rotation'],
    order: '-startTime',
    groups: { Shift: ['name', 'personId', 'rotation', 'description'], Times: ['startTime', 'endTime'] },
  },
  create: CreateOnCallSchedule,
  update: UpdateOnCallSchedule,
}) {}
