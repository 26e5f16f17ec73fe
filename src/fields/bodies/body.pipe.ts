import type { PipeTransform } from '@nestjs/common';
import { parseBody } from './bodies.js';
import { RequestBody, type Concrete } from '../field.js';

interface BodyOptions {
  /** True: a request without a body has an empty one. */
  optional?: boolean;
}

/**
 * Pipe of a request body: `@Body(BodyOf(CreateRunbook)) body: CreateRunbook`. It refuses a faulty body with every fault
 * at once, and gives the handler an instance of the class that holds only the properties that were sent.
 */
export const BodyOf = <T extends object>(
  dto: Concrete<T>,
  { optional = false }: BodyOptions = {},
): PipeTransform<unknown, T> => ({
  transform: (body) => parseBody(dto, optional && body === undefined ? {} : body),
});

class NoProperties extends RequestBody {}

/**
 * Pipe of the body of a request that says everything by its path and query. It may be absent, and has no properties: a `dryRun`
 * in it would look as if it had been read.
 */
export const NO_PROPERTIES = BodyOf(NoProperties, { optional: true });
