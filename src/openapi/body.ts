import 'reflect-metadata';
import type { Deprecation } from '../http/deprecation.js';
import type { Model } from './schema.js';

/** The custom fields in the document of an installation. The floor of fields declares their type. */
// oxlint-disable-next-line typescript/no-empty-object-type -- completed by `fields/custom/defined-fields.ts`
export interface Installation {}

/** The description of a request body in the document, besides the schemas of its properties. */
interface BodyDescription {
  /** Properties that are read. */
  settable: readonly string[];
  /** Further properties that are ignored. */
  ignored: readonly string[];
  /** Bodies of the objects in it. */
  parts: readonly Model[];
  /** Deprecated properties, including those of its parts. */
  deprecated?: ReadonlyMap<string, Deprecation>;
  /** A body that is accepted unchanged. */
  createExample(): unknown;
  /** A body that changes one field. */
  updateExample(): unknown;
}

const DESCRIBE = Symbol('description of a body');

/** Sets the description of a body class, and of its subclasses. */
export const DescribedBody =
  (describe: (body: Model, installation: Installation) => BodyDescription): ((target: Model) => void) =>
  (target) =>
    Reflect.defineMetadata(DESCRIBE, describe, target);

export function descriptionOfBody(body: Model, installation: Installation): BodyDescription {
  const describe = Reflect.getMetadata(DESCRIBE, body) as Parameters<typeof DescribedBody>[0] | undefined;
  if (!describe) throw new Error(`${body.name} is not a request body: it extends no class with @DescribedBody`);
  return describe(body, installation);
}

/** A property of a class in addition to the declared ones. */
export interface FurtherProperty {
  schema: Record<string, unknown>;
  required?: boolean;
}

type Further = Readonly<Record<string, FurtherProperty>>;

const FURTHER = Symbol('further properties');
const PARTS = Symbol('parts');

/** Sets a function that returns further properties of a class, and of its subclasses, when the document is made. */
export const FurtherProperties =
  (make: (model: Model, installation: Installation) => Further): ((target: Model) => void) =>
  (target) =>
    Reflect.defineMetadata(FURTHER, make, target);

/** Sets the classes of the objects in the lists of a response, because they may have further properties too. */
export const HasParts =
  (partsOf: (model: Model) => readonly Model[]): ((target: Model) => void) =>
  (target) =>
    Reflect.defineMetadata(PARTS, partsOf, target);

export const partsOf = (model: Model): readonly Model[] =>
  (Reflect.getMetadata(PARTS, model) as ((model: Model) => readonly Model[]) | undefined)?.(model) ?? [];

export const furtherPropertiesOf = (model: Model, installation: Installation): Further =>
  (Reflect.getMetadata(FURTHER, model) as Parameters<typeof FurtherProperties>[0] | undefined)?.(model, installation) ??
  {};
