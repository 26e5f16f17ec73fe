/* What this browser keeps for its user. Storage may be closed to the page: nothing is kept then, and nothing is there. */

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
