import type { Type } from '@nestjs/common';
import { NetworkModule } from '../network/network.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { PeopleModule } from '../people/people.module.js';
import { ProcurementModule } from '../procurement/procurement.module.js';

/** The families of resources, in the order of the OpenAPI document. */
export const families: readonly Type[] = [OperationsModule, NetworkModule, ProcurementModule, PeopleModule];
