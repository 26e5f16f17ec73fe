import { CATALOGUE_RECORDS } from '../../app/startup/load-catalogue.js';
import { createExample } from '../../fields/bodies/body-example.js';
import { fieldsOf, isStored, type Class } from '../../fields/field.js';
import { text } from '../../fields/types/text.js';
import { resourcesOf } from '../../resource/family.js';
import type { ControlledResource } from '../../resource/resource.definition.js';
import { families } from '../../schema/families.js';
import type { Estate } from './estate.js';

const EXAMPLES = 3;

/** Path of a resource's collection under `/api`. */
export const pathOf = ({ path }: ControlledResource): string => path.replace(/^api\//, '');

const wholes = (): ControlledResource[] => families.flatMap(resourcesOf).filter(({ owner, flat }) => !owner && !flat);

/** The collections of an estate: all but parts, and the catalogue that every database starts with. */
export const collections = (): ControlledResource[] =>
  wholes().filter(({ record }) => !CATALOGUE_RECORDS.includes(record));

/** Creates records from the examples in the document, for resources of which the estate has no records yet. */
export async function makeExamples(estate: Estate): Promise<void> {
  for (const resource of collections()) {
    if ((await estate.total(pathOf(resource))) > 0) continue;
    const example = createExample(resource.create);
    const body = { ...example, ...(await references(estate, resource.record, example)) };
    for (const names of namesOf(resource)) await estate.make(pathOf(resource), { ...body, ...names });
  }
}

/** The names of several records, or one name if a second record could violate a rule. */
function namesOf({ record, conflicts }: ControlledResource): Record<string, string>[] {
  const naming = fieldsOf(record).find((field) => isStored(field) && field.naming && field.type === text);
  const example = naming && 'example' in naming ? naming.example : undefined;
  if (!naming || typeof example !== 'string' || conflicts) return [{}];
  return Array.from({ length: EXAMPLES }, (_, index) => ({
    [naming.property]: index === 0 ? example : `${example} ${index + 1}`,
  }));
}

/** An existing record for each reference of a record class that a body has. @param example such a body */
async function references(estate: Estate, record: Class, example: object): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const { property, references: target, readOnly } of fieldsOf(record).filter(isStored)) {
    if (!target || (readOnly && !(property in example))) continue;
    const resource = wholes().find((candidate) => candidate.record === target());
    const first = resource && (await estate.first(pathOf(resource)));
    if (first) ids[property] = first.id;
  }
  return ids;
}
