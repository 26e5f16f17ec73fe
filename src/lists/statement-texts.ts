import type { Resource } from '../projection/resource.js';

/** Most texts of all resources together: as many as the statements that a connection keeps prepared. */
export const MOST_TEXTS = 500;

/**
 * Texts of statements, each made once. A statement has some thousand characters, and the connections look up the name that they
 * know it by: the same string is found without comparing it.
 */
export class StatementTexts {
  private readonly texts = new Map<Resource, Map<string, string>>();
  private size = 0;

  /**
   * @param key what the text of this resource depends on
   * @param make returns the text
   */
  of(resource: Resource, key: string, make: () => string): string {
    let texts = this.texts.get(resource);
    if (!texts) this.texts.set(resource, (texts = new Map()));
    let text = texts.get(key);
    if (text === undefined) {
      text = make();
      // Filters, orders and expanded references have more combinations than there is memory for.
      if (this.size < MOST_TEXTS) {
        this.size++;
        texts.set(key, text);
      }
    }
    return text;
  }
}
