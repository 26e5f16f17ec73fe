// A connection keeps its prepared statements. Further statements, of which lists can produce many, are not prepared.
const MAX_PREPARED = 500;

/** Statement names, so that each connection parses a statement once. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** @param enabled must be false behind a pooler that may use another connection for each transaction */
  constructor(private readonly enabled: boolean) {}

  of(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || !this.enabled || this.names.size >= MAX_PREPARED) return name;
    const given = `s${this.names.size}`;
    this.names.set(text, given);
    return given;
  }
}
