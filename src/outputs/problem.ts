import { ApiProperty } from '@nestjs/swagger';
import { PAGE_START, pageEnd } from '../http/replies.js';
import { MAX_PAGE_SIZE } from '../lists/parameters/paging.js';
import { EXAMPLE_ID } from '../openapi/schema.js';

/** A record that an output leaves out. */
export class OutputProblem {
  @ApiProperty({ description: 'Resource of the record, as in the change log', example: 'devices' }) resource!: string;
  @ApiProperty({ description: 'Identifier of the record', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the record', example: 'ams-core-sw-01' }) name!: string;
  @ApiProperty({ description: 'Why it is left out', example: 'has no address' }) problem!: string;
}

/** All problems, in the envelope of a list with one page. */
export function problemList(problems: readonly OutputProblem[]): string {
  const total = problems.length;
  const rows = problems.map((problem) => JSON.stringify(problem)).join(',');
  const end = pageEnd({ total, reach: total, page: 1, pageSize: Math.max(total, MAX_PAGE_SIZE) });
  return PAGE_START + rows + end;
}
