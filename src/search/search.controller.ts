import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { codePoints } from '../fields/types/text.js';
import type { ListReply } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import { Operation } from '../openapi/operation.js';
import { Tag } from '../openapi/tags.js';
import { MOST_CHARACTERS, searchFault } from '../lists/search-text.js';
import { FILE, PAGE, readPage } from '../lists/parameters/paging.js';
import { type Parameter, type RawQuery } from '../lists/parameters/query-parameters.js';
import { words } from '../lists/parameters/words.js';
import { SearchMatch } from './search-match.js';
import { searchedNames, type SearchRequest, SearchService } from './search.service.js';

const SHORTEST = 2;

const Q: Parameter<SearchRequest> = {
  name: 'q',
  description:
    'Text to find anywhere in the searched fields, in upper or lower case; at least two characters, at most 16 words',
  schema: { type: 'string', minLength: SHORTEST, maxLength: MOST_CHARACTERS, example: 'sn-4711' },
  many: false,
  required: true,
  apply(request, [raw]) {
    request.q = raw!;
    return codePoints(raw!) < SHORTEST ? `must have at least ${SHORTEST} characters` : searchFault(raw!);
  },
};

const resourceParameter = (known: readonly string[]): Parameter<SearchRequest> =>
  words(
    'resource',
    'SearchedResource',
    'Finds records of these resources only. They are named as in the change log',
    known,
    (request, given) => void (request.resources = given),
    { called: 'the name of a resource' },
  );

const parameters = (resources: readonly string[]): Parameter<SearchRequest>[] => [
  ...PAGE,
  ...FILE,
  Q,
  resourceParameter(resources),
];

@Controller('api/search')
@Tag('Search', 'Finding records of every resource by a text')
export class SearchController {
  constructor(@Inject(SearchService) private readonly service: SearchService) {}

  @Get()
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'listSearchMatches',
    text: {
      summary: 'Find records of every resource',
      description:
        'One entry for each record with a searched field that contains the text. Exact matches come first, then fields that begin with the text. Within each of these groups, whole words come before parts of words, and records of the shipped catalogue come last. Resources that the caller may not read are left out.',
    },
    list: (modules, installation) => ({ parameters: parameters(searchedNames(modules, installation)) }),
    response: SearchMatch,
    status: 200,
  })
  search(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    const request = readPage<SearchRequest>(query, parameters(this.service.names(ctx)), { q: '', resources: [] });
    return this.service.search(ctx, request);
  }
}
