import { resources, collectionOf, pathOf } from '../support/resources.js';
import { boundFields, contractRows } from './contract-rows.js';
import { derivedRows } from './derived-row.js';
import type { Row } from './row.js';

/** The parts of all owners: the row of the part, with its owner in the body. */
const flatRows = (parts: readonly Row[]): Row[] =>
  resources
    .filter(({ flat }) => flat)
    .map((resource): Row => {
      const { path, owner } = resources.find((other) => other.record === resource.record && other.owner)!;
      const part = parts.find((row) => row.path === pathOf({ ...resource, path, owner }))!;
      const { field, record } = owner!;
      const { [field]: _inBody, ...shown } = part.shown ?? {};
      const required = { ...part.required, [field]: `→${collectionOf(record)} ${JSON.stringify(part.ofOwner ?? {})}` };
      // Of an owner with few parts, two records cannot share the owner.
      const apart = part.few ? [field] : part.apart;
      return {
        ...part,
        path: pathOf(resource),
        required,
        shown,
        apart,
        fixed: [...(part.fixed ?? []), field],
        few: false,
        ofOwner: undefined,
        another: undefined,
      };
    });

const ownRows = [...contractRows, ...derivedRows(contractRows, boundFields)];

/** Every resource, those of the contract first. */
export const rows: readonly Row[] = [...ownRows, ...flatRows(ownRows)];
