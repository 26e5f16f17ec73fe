import { Controller } from '@nestjs/common';
import { sql, type Sql } from '../../database/sql.js';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { uuid } from '../../fields/types/uuid.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Cable } from './cable.entity.js';

class CreateCable extends CreateBody(Cable) {}
class UpdateCable extends UpdateBody(Cable) {}

/** A filter by the place of either end. @param ends SELECT of the ids of ends at the place */
const byEnd = (name: string, words: string, ends: (id: Sql) => Sql): ExtraFilter => ({
  name,
  description: `Has an end at one of these ${words}`,
  schema: { type: 'string', format: 'uuid' },
  expects: uuid.expects,
  parse: (raw) => uuid.parse(raw),
  sqlType: 'uuid',
  sql: (id) => sql`t.id IN (SELECT e.cable_id FROM cable_ends e WHERE e.end_id IN (${ends(id)}))`,
});

const filters = [
  byEnd('deviceId', 'devices', (id) => sql`SELECT p.id FROM device_ports p WHERE p.device_id = ${id}`),
  byEnd(
    'rackId',
    'racks',
    (id) => sql`SELECT p.id FROM device_ports p JOIN devices d ON d.id = p.device_id WHERE d.rack_id = ${id}
      UNION ALL SELECT f.id FROM power_feeds f WHERE f.rack_id = ${id}`,
  ),
  byEnd(
    'siteId',
    'sites',
    (id) => sql`SELECT p.id FROM device_ports p JOIN devices d ON d.id = p.device_id WHERE d.site_id = ${id}
      UNION ALL SELECT f.id FROM power_feeds f WHERE f.site_id = ${id}
      UNION ALL SELECT c.id FROM circuit_terminations c WHERE c.site_id = ${id}`,
  ),
];

@Controller('api/cables')
export class CablesController extends ResourceController({
  record: Cable,
  about: 'Cables between ports, circuits and power feeds',
  view: { columns: ['label', 'aName', 'bName', 'type', 'status', 'lengthM'], order: 'label' },
  create: CreateCable,
  update: UpdateCable,
  filters,
  conflicts: { create: true },
}) {}
