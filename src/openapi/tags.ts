import { SetMetadata } from '@nestjs/common';

export const TAG_GROUP = Symbol('tag group');

/** Heading under which Swagger UI and Redoc show the tags of a module's controllers. */
export const TagGroup = (title: string): ClassDecorator => SetMetadata(TAG_GROUP, title) as ClassDecorator;
