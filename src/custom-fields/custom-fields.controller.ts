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
  // A deleted definition can only be created again, because its values are gone.
  restorable: false,
  deleteOptions: DELETE_OPTIONS,
  deleteErrors: [409],
  text: {
    create: {
      description:
        'Records of these resources then have `customFields` in bodies and responses. A field that is required needs a value in every record: define it without `required`, fill it in, then require it. A resource has at most 100 fields. Fields that belong to a resource of operations or refer to one need the area `operations`.',
    },
    update: {
      description:
        '`key`, `type` and `target` cannot be changed. A change that contradicts stored values is refused with 409, with the number of these records and the first ten.',
    },
    delete: {
      description:
        'Refused with 409 while records have values, unless `dropValues=true` is given, and while a webhook names the field.',
    },
  },
}) {}
