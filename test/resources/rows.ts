import { boundFields, contractRows } from './contract-rows.js';
import { derivedRows } from './derived-row.js';
import type { Row } from './row.js';

/** Every resource, those of the contract first. */
export const rows: readonly Row[] = [...contractRows, ...derivedRows(contractRows, boundFields)];
