import { Module } from '@nestjs/common';
import { TagGroup } from '../openapi/tags.js';
import { ExposureController } from './exposure.controller.js';

/** Devices without coverage. */
@TagGroup('Procurement')
@Module({ controllers: [ExposureController] })
export class ExposureModule {}
