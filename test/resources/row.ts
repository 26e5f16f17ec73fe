/**
 * A resource as data: the expectations of the suites that cover all resources. In values, `→/api/people` stands for the id of a
 * new record of that resource, after a space with these values as JSON, `∎` for a unique text, and `⌗` for an IPv4 network of length 24 that no other record has.
 */
export interface Row {
  /** Path of the collection. For a part it contains its owner's collection in braces: `/api/devices/{…}/ports`. */
  path: string;
  /** What the owner of a part needs besides its required fields. */
  ofOwner?: Record<string, unknown>;
  /** Required fields. */
  required: Record<string, unknown>;
  /** Every other field that can be set, with a value that differs from its default. */
  optional: Record<string, unknown>;
  /** Those of the required fields that a rule requires, and not their declaration. */
  ruled?: readonly string[];
  /** Non-null values of a record that was created with the required fields only. */
  defaults?: Record<string, unknown>;
  /** Read-only fields, with their values in such a record. */
  shown?: Record<string, unknown>;
  /** Area that writing needs; profiles need the role of an administrator. */
  area: 'operations' | 'network' | 'procurement' | 'people' | 'admin';
  /** Fields that may not be null, besides the required ones and those with a default. */
  nullableDefaults?: string[];
  /** Responses that differ from the sent values. */
  answers?: Record<string, unknown>;
  /** Texts that a list sorts in natural order. */
  natural?: string[];
  /** Fields that a list cannot be sorted by. */
  unsortable?: string[];
  /** Fields that no change can give another value. */
  fixed?: string[];
  /** References that two records cannot share, because other values are unique within what they refer to. */
  apart?: string[];
  /** Whether an owner can have only few of these parts. The suites make one for each owner. */
  few?: boolean;
  /** Values that tell another of these parts from the one with the values above. */
  another?: Record<string, unknown>;
  /** Fields that a rule keeps from being cleared alone. */
  bound?: readonly string[];
  /** Writable fields with special rules, which `test/e2e/rules.spec.ts` tests. */
  elsewhere?: string[];
}

/** Fields of a row whose values no two records share. */
export const uniqueFields = ({ required, optional }: Row): string[] =>
  Object.entries({ ...required, ...optional }).flatMap(([field, value]) =>
    String(value).match(/[∎⌗]/) !== null ? [field] : [],
  );
