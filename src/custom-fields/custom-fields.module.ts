import { Module } from '@nestjs/common';
import { TagGroup } from '../openapi/tags.js';
import { CustomFieldsController } from './custom-fields.controller.js';
import { CustomFieldsService } from './custom-fields.service.js';

/** The fields that an installation defines. */
@TagGroup('Service')
@Module({
  controllers: [CustomFieldsController],
  providers: [CustomFieldsService],
})
export class CustomFieldsModule {}
