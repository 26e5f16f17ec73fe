import { Controller } from '@nestjs/common';
import { ResourceController } from '../resource/resource.controller.js';
import { CreateCustomField, DELETE_OPTIONS, UpdateCustomField } from './custom-field.bodies.js';
import { CustomField } from './custom-field.entity.js';
import { CustomFieldsService } from './custom-fields.service.js';

@Controller('api/custom-fields')
export class CustomFieldsController extends ResourceController({
  record: CustomField,
  about: 'Fields that an installation adds to its records: a cost centre, tags, a support contact',
  view: { columns: ['key', 'label', 'type', 'resources', 'required', 'unique', 'position'], order: 'key' },
  create: CreateCustomField,
  update: UpdateCustomField,
  conflicts: true,
  access: { read: { role: 'viewer' }, write: { role: 'admin' } },
  service: CustomFieldsService,
  // A definition may be restored by a new one only: the values are gone.
  restorable: false,
  deleteOptions: DELETE_OPTIONS,
  deleteErrors: [409],
  text: {
    create: {
      description:
        'From then on, records of these resources have `customFields` in bodies and responses. A field that is required needs a value in every record: define it without `required`, fill it in, then require it. At most 100 fields a resource. Fields of resources of operations, and those that refer to them, need the area `operations`.',
    },
    update: {
      description:
        '`key`, `type` and `target` are fixed. A change that values of records would break is refused with 409, the number of these records, and the first ten.',
    },
    delete: {
      description:
        'Refused with 409 while records have values, unless `dropValues=true` is given, and while a webhook names the field.',
    },
  },
}) {}
