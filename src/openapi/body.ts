import 'reflect-metadata';
import type { Deprecation } from '../http/deprecation.js';
import type { Model } from './schema.js';

/** The fields that an installation has defined, which a document of its own shows. The floor of fields says what they are. */
// oxlint-disable-next-line typescript/no-empty-object-type -- completed by `fields/custom/known-fields.ts`
export interface Installation {}

/** The description of a request body in the document, besides the schemas of its properties. */
interface BodyDescription {
  /** Properties that are read. */
  settable: readonly string[];
  /** Properties that it may also have, and that are ignored. */
  ignored: readonly string[];
  /** Bodies of the objects in it. */
  parts: readonly Model[];
  /** Properties that will go away, those of its parts too. */
  deprecated?: ReadonlyMap<string, Deprecation>;
  /** A body that is accepted unchanged. */
  createExample(): unknown;
  /** A body that changes one field. */
  updateExample(): unknown;
}

const DESCRIBE = Symbol('description of a body');

/** Says how a body class, and those that extend it, are described. */
export const DescribedBody =
  (describe: (body: Model, installation: Installation) => BodyDescription): ((target: Model) => void) =>
  (target) =>
    Reflect.defineMetadata(DESCRIBE, describe, target);

export function descriptionOfBody(body: Model, installation: Installation): BodyDescription {
  const describe = Reflect.getMetadata(DESCRIBE, body) as Parameters<typeof DescribedBody>[0] | undefined;
  if (!describe) throw new Error(`${body.name} is not a request body: it extends no class with @DescribedBody`);
  return describe(body, installation);
}

/** A property that a class has besides those that it declares. */
export interface FurtherProperty {
  schema: Record<string, unknown>;
  required?: boolean;
}

type Further = Readonly<Record<string, FurtherProperty>>;

const FURTHER = Symbol('further properties');
const PARTS = Symbol('parts');

/** Says which properties a class, and those that extend it, have besides those that are declared, when the document is made. */
export const FurtherProperties =
  (make: (model: Model, installation: Installation) => Further): ((target: Model) => void) =>
  (target) =>
    Reflect.defineMetadata(FURTHER, make, target);

/** Says of which classes the objects in the lists of a response are, which may have further properties too. */
export const HasParts =
  (partsOf: (model: Model) => readonly Model[]): ((target: Model) => void) =>
  (target) =>
    Reflect.defineMetadata(PARTS, partsOf, target);

export const partsOf = (model: Model): readonly Model[] =>
  (Reflect.getMetadata(PARTS, model) as ((model: Model) => readonly Model[]) | undefined)?.(model) ?? [];

export const furtherPropertiesOf = (model: Model, installation: Installation): Further =>
  (Reflect.getMetadata(FURTHER, model) as Parameters<typeof FurtherProperties>[0] | undefined)?.(model, installation) ??
  {};
