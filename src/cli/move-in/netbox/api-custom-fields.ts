import type { SourceObject } from '../model.js';
import { isObject } from '../shapes.js';

/** A value in the form that a dump has: the key of an object, the value of a choice. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  if ('id' in value && ('url' in value || 'display' in value)) return value.id;
  if ('value' in value && 'label' in value) return value.value;
  return value;
}

/** The custom fields of a NetBox that is read over its REST API. Their definitions are read first. */
export class ApiCustomFields {
  private readonly definitions = new Map<string, { type: unknown; target: unknown }>();
  private readonly named = new Set<string>();

  /** @param isRead whether the objects of a kind are read themselves */
  constructor(private readonly isRead: (model: string) => boolean) {}

  define({ name, type, related_object_type: target, object_type: former }: Record<string, unknown>): void {
    this.definitions.set(String(name), { type: plain(type), target: target ?? former });
  }

  /** Values as a dump has them. */
  plain(values: unknown): unknown {
    if (!isObject(values)) return values;
    // A JSON value may look like a reference to an object.
    const of = (name: string, value: unknown): unknown =>
      this.definitions.get(name)?.type === 'json' ? value : plain(value);
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(name, value)]));
  }

  /** Objects that values refer to and that are not read themselves, such as accounts. */
  *namedBy(values: unknown): Generator<SourceObject> {
    for (const [name, value] of isObject(values) ? Object.entries(values) : []) {
      const target = this.definitions.get(name)?.target;
      if (typeof target !== 'string' || this.isRead(target)) continue;
      for (const { id, name: own, username, display } of [value].flat().filter(isObject)) {
        const key = `${target}:${String(id)}`;
        if (this.named.has(key)) continue;
        this.named.add(key);
        yield { model: target, pk: String(id), fields: { name: username ?? own ?? display } };
      }
    }
  }
}
