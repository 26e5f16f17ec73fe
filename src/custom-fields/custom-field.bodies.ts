import { addBodyRule, CreateBody, UpdateBody } from '../fields/bodies/bodies.js';
import { customisableResources } from '../fields/custom/defined-fields.js';
import { faultsOf } from '../fields/validation.js';
import { flagOption } from '../lists/parameters/query-options.js';
import { CustomField } from './custom-field.entity.js';
import { faultsOfNew } from './definition-rules.js';

export class CreateCustomField extends CreateBody(CustomField) {}
export class UpdateCustomField extends UpdateBody(CustomField) {}
// A setting that is missing hides no fault of another one.
addBodyRule(CreateCustomField, (body) => {
  const unsound = new Set(faultsOf(body).map(({ field }) => field.split(/[.[]/, 1)[0]!));
  return faultsOfNew(body, unsound, customisableResources());
});

/** The query parameters of deleting a custom field. */
export const DELETE_OPTIONS = {
  dropValues: flagOption(
    'dropValues',
    '`true`: also deletes the values of the field. They are gone at once, also for a new field with the same key',
  ),
} as const;
