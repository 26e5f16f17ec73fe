import { sql, type Sql } from '../../database/sql.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { uuid } from '../../fields/types/uuid.js';

/** The condition that an address `t` belongs to a virtual machine. @param id that of the machine, or `ANY(…)` of several */
export const addressesOf = (id: Sql): Sql =>
  sql`t.id IN (SELECT a.ip_address_id FROM virtual_machine_addresses a WHERE a.virtual_machine_id = ${id})`;

/** `virtualMachineId=`: the addresses of a virtual machine. */
export const ofVirtualMachine: ExtraFilter = {
  name: 'virtualMachineId',
  description: 'The address belongs to one of the given virtual machines',
  schema: { type: 'string', format: 'uuid' },
  expects: uuid.expects,
  parse: (raw) => uuid.parse(raw),
  sqlType: 'uuid',
  sql: addressesOf,
};
