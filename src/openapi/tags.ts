import 'reflect-metadata';
import { SetMetadata } from '@nestjs/common';

/** Group in which Swagger UI shows the operations of a controller. */
interface TagDescription {
  name: string;
  /** Absent if another controller describes the tag. */
  description?: string;
}

const TAG = Symbol('tag');
const TAG_GROUP = Symbol('tag group');

/** The tag of a controller's operations. One of the controllers that share a tag describes it. */
export const Tag = (name: string, description?: string): ClassDecorator =>
  SetMetadata<symbol, TagDescription>(TAG, { name, description }) as ClassDecorator;

export const tagOfController = (controller: object): TagDescription | undefined =>
  Reflect.getMetadata(TAG, controller) as TagDescription | undefined;

/** Heading under which Swagger UI and Redoc show the tags of a module's controllers. */
export const TagGroup = (title: string): ClassDecorator => SetMetadata(TAG_GROUP, title) as ClassDecorator;

export const tagGroupOf = (module: object): string | undefined =>
  Reflect.getMetadata(TAG_GROUP, module) as string | undefined;
