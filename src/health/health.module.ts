import { Module } from '@nestjs/common';
import { TagGroup } from '../openapi/tags.js';
import { HealthController } from './health.controller.js';

@TagGroup('Service')
@Module({ controllers: [HealthController] })
export class HealthModule {}
