export type Json = Record<string, unknown>;

/** The components of the document, by their kind and name. */
export type Components = Record<string, Json>;

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
