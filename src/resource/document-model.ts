import 'reflect-metadata';
import { ApiProperty } from '@nestjs/swagger';
import type { Model } from '../openapi/schema.js';

/** A class of the document, with a schema for each property. */
export function model(name: string, properties: Record<string, object>): Model {
  // oxlint-disable-next-line typescript/no-extraneous-class -- its properties are decorated below
  const made = { [name]: class {} }[name]!;
  for (const [property, schema] of Object.entries(properties)) {
    // The compiler adds this to a decorated property. Nest needs it if the schema is a choice.
    Reflect.defineMetadata('design:type', Object, made.prototype as object, property);
    ApiProperty(schema)(made.prototype as object, property);
  }
  return made;
}

/** Schema of a number of records. */
export const COUNT = { type: 'integer', format: 'int32', minimum: 0 } as const;
