import type { CustomValue } from './mapping.js';
import type { Definition, Service } from './service.js';

/** The custom fields of the service, which are defined and widened as values need them. */
export class CustomFields {
  private definitions?: Definition[] | null;
  private readonly refused = new Map<string, string>();

  constructor(
    private readonly service: Service,
    private readonly isDryRun: boolean,
  ) {}

  /**
   * Sees to it that records of a resource can have a value.
   * @returns why they cannot; undefined if they can
   */
  async ensure(value: CustomValue, resource: string): Promise<string | undefined> {
    if (this.definitions === undefined) this.definitions = (await this.service.list('custom-fields')) ?? null;
    if (this.definitions === null) return 'it has no field here, and this version has no custom fields';
    const { key, type, definition } = value;
    const target = value.target ?? null;
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
    const { label, description, choices } = definition ?? {};
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

  /** Whether a field would be there by now if this were no dry run. */
  isPlanned(key: string, resource: string): boolean {
    const found = this.definitions?.find((one) => one.key === key && one.resources.includes(resource));
    return found?.id === '';
  }

  private refuse(name: string, why: string): string {
    this.refused.set(name, why);
    return why;
  }
}
