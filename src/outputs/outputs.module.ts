import { Module } from '@nestjs/common';
import { TagGroup } from '../openapi/tags.js';
import { OutputsController } from './outputs.controller.js';
import { OutputsService } from './outputs.service.js';

/** Views of the inventory in the formats of other tools. */
@TagGroup('Service')
@Module({ controllers: [OutputsController], providers: [OutputsService] })
export class OutputsModule {}
