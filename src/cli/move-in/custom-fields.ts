import type { CustomType } from './mapping.js';
import type { Definition, Service } from './service.js';

/** A definition that values need. */
export interface Wanted {
  key: string;
  type: CustomType;
  target?: string;
  label?: string | null;
  description?: string | null;
  choices?: string[];
}

/** The custom fields of the service, which are defined and widened as values need them. */
export class CustomFields {
  private definitions?: Definition[] | null;
  private readonly refused = new Map<string, string>();

  constructor(
    private readonly service: Service,
    private readonly isDryRun: boolean,
  ) {}

  /**
   * Sees to it that records of a resource can have values of a custom field.
   * @returns why they cannot; undefined if they can
   */
  async ensure(wanted: Wanted, resource: string): Promise<string | undefined> {
    if (this.definitions === undefined) this.definitions = (await this.service.list('custom-fields')) ?? null;
    if (this.definitions === null) return 'it has no field here, and this version has no custom fields';
    const { key, type, target = null } = wanted;
    const name = `${resource}.${key}`;
    if (this.refused.has(name)) return this.refused.get(name);
    const ofResource = this.definitions.find((found) => found.key === key && found.resources.includes(resource));
    if (ofResource) {
      if (ofResource.type === type && ofResource.target === target) return undefined;
      return this.refuse(name, `the custom field ${key} of ${resource} has the type ${ofResource.type}`);
    }
    const alike = this.definitions.find((found) => found.key === key && found.type === type && found.target === target);
    if (this.isDryRun) {
      this.definitions.push({ id: '', key, type, target, resources: [resource] });
      return undefined;
    }
    const resources = [...(alike?.resources ?? []), resource];
    const { label, description, choices } = wanted;
    const { data, error } = alike
      ? await this.service.save<Definition>('PATCH', `custom-fields/${alike.id}`, { resources })
      : await this.service.save<Definition>('POST', 'custom-fields', {
          key,
          type,
          resources,
          ...(target !== null && { target }),
          ...(label != null && { label }),
          ...(description != null && { description }),
          ...(choices && { choices }),
        });
    if (!data) return this.refuse(name, error ?? 'the custom field was refused');
    this.definitions = [...this.definitions.filter(({ id }) => id !== alike?.id), data];
    return undefined;
  }

  private refuse(name: string, why: string): string {
    this.refused.set(name, why);
    return why;
  }
}
