/* Data that this browser stores for its user. If the page may not use the storage, nothing is stored. */

export function kept<Value>(name: string, otherwise: Value): Value {
  try {
    const text = localStorage.getItem(`inventory.${name}`);
    return text === null ? otherwise : (JSON.parse(text) as Value);
  } catch {
    return otherwise;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`inventory.${name}`, JSON.stringify(value));
  } catch {
    // As above.
  }
}
