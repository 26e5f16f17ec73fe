import { Module } from '@nestjs/common';
import { TagGroup } from '../openapi/tags.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

/** The global search. */
@TagGroup('Service')
@Module({ controllers: [SearchController], providers: [SearchService] })
export class SearchModule {}
