/** What TypeORM's decorators cannot say about this family's tables. */
export const up = [
  // One open assignment an asset: of two that are handed out at once, one is refused.
  `CREATE UNIQUE INDEX uq_asset_assignments_open ON asset_assignments (asset_id) WHERE returned_at IS NULL`,
  // Serves the number of assets that each person of a list holds.
  `CREATE INDEX ix_asset_assignments_open_person ON asset_assignments (person_id) WHERE returned_at IS NULL`,
];

export const down = [`DROP INDEX ix_asset_assignments_open_person`, `DROP INDEX uq_asset_assignments_open`];
