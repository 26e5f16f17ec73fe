import { CreateBody, UpdateBody } from '../fields/bodies/bodies.js';
import { flagOption } from '../lists/parameters/query-options.js';
import { CustomField } from './custom-field.entity.js';

export class CreateCustomField extends CreateBody(CustomField) {}
export class UpdateCustomField extends UpdateBody(CustomField) {}

/** The query parameters of deleting a custom field. */
export const DELETE_OPTIONS = {
  dropValues: flagOption(
    'dropValues',
    '`true`: deletes the values that records have too. They are gone at once, and do not come back with a new field of the same key',
  ),
} as const;
