import { labelOf, type CustomValue } from './mapping.js';
import type { Definition, Service } from './service.js';
import { groupBy } from './shapes.js';

/** Maximum number of choices of a field. If the source lists more, only the words in use become choices. */
const MOST_CHOICES = 1000;

/** Whether records can have a value: the reason if they cannot, or that the field is only planned because this is a dry run. */
interface Ensured {
  why?: string;
  isPlanned?: boolean;
}

/** The custom fields of the service. They are created and extended as values need them. */
export class CustomFields {
  /** By their keys. Null if the service has no custom fields. */
  private definitions: Map<string, Definition[]> | null = null;
  private readonly refused = new Map<string, string>();

  constructor(
    private readonly service: Service,
    private readonly isDryRun: boolean,
  ) {}

  /** Reads the existing custom fields. Must be called first. */
  async load(): Promise<void> {
    const found = await this.service.list<Definition>('custom-fields');
    this.definitions = found === undefined ? null : groupBy(found, ({ key }) => key);
  }

  /** Whether records of a resource can have a value of this kind already. */
  has({ key, type, target }: CustomValue, resource: string): boolean {
    const found = this.definitions?.get(key)?.find((one) => one.resources.includes(resource));
    return found?.type === type && found.target === (target ?? null) && found.id !== '' && found.isPlanned !== true;
  }

  /** Creates or extends the custom field that a value needs. */
  async ensure(value: CustomValue, resource: string): Promise<Ensured> {
    if (this.definitions === null) return { why: 'it has no field here, and this version has no custom fields' };
    const { key, type } = value;
    const target = value.target ?? null;
    const name = `${resource}.${key}`;
    if (this.refused.has(name)) return { why: this.refused.get(name) };
    const known = this.definitions.get(key) ?? [];
    const ofResource = known.find(({ resources }) => resources.includes(resource));
    if (ofResource && (ofResource.type !== type || ofResource.target !== target))
      return this.refuse(name, `the custom field ${key} of ${resource} has the type ${ofResource.type}`);
    const found = ofResource ?? known.find((other) => other.type === type && other.target === target);
    if (!found) return this.define(value, resource);
    const choices = widened(found, value);
    if (ofResource && choices === undefined) return { isPlanned: found.id === '' || found.isPlanned === true };
    return this.widen(found, {
      ...(!ofResource && { resources: [...found.resources, resource] }),
      ...(choices && { choices }),
    });
  }

  private async define(value: CustomValue, resource: string): Promise<Ensured> {
    const { key, type, target, definition } = value;
    const choices = widened({ type, choices: [] }, value);
    const made = { key, type, resources: [resource] };
    if (this.isDryRun) {
      this.add({ ...made, id: '', target: target ?? null, choices: choices ?? null });
      return { isPlanned: true };
    }
    const { data, error } = await this.service.save<Definition>('POST', 'custom-fields', {
      ...made,
      label: definition?.label ?? labelOf(key),
      ...(target !== undefined && { target }),
      ...(definition?.description != null && { description: definition.description }),
      ...(choices && { choices }),
    });
    if (!data) return this.refuse(`${resource}.${key}`, error ?? 'the custom field was refused');
    this.add(data);
    return {};
  }

  private add(definition: Definition): void {
    const { key } = definition;
    this.definitions!.set(key, [...(this.definitions!.get(key) ?? []), definition]);
  }

  private async widen(found: Definition, change: Partial<Definition>): Promise<Ensured> {
    if (this.isDryRun) {
      Object.assign(found, change, { isPlanned: true });
      return { isPlanned: true };
    }
    const { data, error } = await this.service.save<Definition>('PATCH', `custom-fields/${found.id}`, change);
    if (!data) return { why: error ?? 'the custom field was refused' };
    Object.assign(found, data);
    return {};
  }

  private refuse(name: string, why: string): Ensured {
    this.refused.set(name, why);
    return { why };
  }
}

/** The choices that a field needs for a value, and for the words that the source lists; undefined if it has them. */
function widened({ type, choices }: Pick<Definition, 'type' | 'choices'>, value: CustomValue): string[] | undefined {
  // Tags without choices may be any words.
  if ((type !== 'choice' && type !== 'tags') || value.choices === undefined || choices === null) return undefined;
  const listed = value.choices.length > MOST_CHOICES ? [] : value.choices.filter((word) => word.trim() !== '');
  if (type === 'tags' && choices.length === 0 && listed.length === 0) return undefined;
  const words = [...listed, ...[value.value].flat().map(String)];
  const missing = words.filter((word) => !choices.includes(word));
  return missing.length === 0 ? undefined : [...new Set([...choices, ...missing])];
}
