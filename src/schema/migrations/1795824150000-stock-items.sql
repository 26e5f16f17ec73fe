CREATE TABLE stock_items (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  name character varying(255) NOT NULL,
  sku character varying(255),
  category_id uuid,
  manufacturer_id uuid,
  unit character varying(255) NOT NULL DEFAULT 'piece',
  minimum integer,
  notes text,
  custom_fields jsonb,
  CONSTRAINT pk_stock_items PRIMARY KEY (id)
);

CREATE INDEX ix_stock_items_created_at_id ON stock_items (created_at, id);

CREATE INDEX ix_stock_items_category_id ON stock_items (category_id);

CREATE INDEX ix_stock_items_manufacturer_id ON stock_items (manufacturer_id);

CREATE TABLE stock_movements (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  stock_item_id uuid NOT NULL,
  quantity integer NOT NULL,
  kind character varying(32) NOT NULL,
  site_id uuid,
  location_id uuid,
  to_site_id uuid,
  to_location_id uuid,
  person_id uuid,
  device_id uuid,
  asset_id uuid,
  reason text,
  unit_cost numeric(10,2),
  currency character varying(3),
  purchase_order_item_id uuid,
  author character varying(255) NOT NULL,
  receipt_id uuid,
  reverses_id uuid,
  draws jsonb,
  custom_fields jsonb,
  CONSTRAINT uq_stock_movements_reverses_id UNIQUE (reverses_id),
  CONSTRAINT ck_kind CHECK (kind IN ('receipt', 'issue', 'return', 'transfer', 'count', 'correction')),
  CONSTRAINT ck_quantity CHECK (quantity >= -2147483647),
  CONSTRAINT ck_stock_movements_quantity CHECK (quantity <> 0),
  CONSTRAINT ck_stock_movements_sign CHECK (reverses_id IS NOT NULL OR kind IN ('count', 'correction') OR (quantity > 0) = (kind <> 'issue')),
  CONSTRAINT pk_stock_movements PRIMARY KEY (id)
);

CREATE INDEX ix_stock_movements_created_at_id ON stock_movements (created_at, id);

CREATE INDEX ix_stock_movements_stock_item_id ON stock_movements (stock_item_id);

CREATE INDEX ix_stock_movements_site_id ON stock_movements (site_id);

CREATE INDEX ix_stock_movements_location_id ON stock_movements (location_id);

CREATE INDEX ix_stock_movements_to_site_id ON stock_movements (to_site_id);

CREATE INDEX ix_stock_movements_to_location_id ON stock_movements (to_location_id);

CREATE INDEX ix_stock_movements_person_id ON stock_movements (person_id);

CREATE INDEX ix_stock_movements_device_id ON stock_movements (device_id);

CREATE INDEX ix_stock_movements_asset_id ON stock_movements (asset_id);

CREATE INDEX ix_stock_movements_purchase_order_item_id ON stock_movements (purchase_order_item_id);

CREATE INDEX ix_stock_movements_receipt_id ON stock_movements (receipt_id);

-- The level of each item at each place, kept by move_stock. A place is a location, or else a site, or none.
CREATE TABLE stock_levels (
  stock_item_id uuid NOT NULL,
  place_id uuid NOT NULL,
  site_id uuid,
  location_id uuid,
  quantity bigint NOT NULL,
  CONSTRAINT pk_stock_levels PRIMARY KEY (stock_item_id, place_id),
  CONSTRAINT ck_stock_levels_quantity CHECK (quantity > 0),
  CONSTRAINT fk_stock_levels_stock_item_id FOREIGN KEY (stock_item_id) REFERENCES stock_items (id) ON DELETE CASCADE
);

CREATE INDEX ix_stock_levels_place_id ON stock_levels (place_id);

-- The units of each incoming movement that there still are, kept by move_stock. The oldest have the lowest position.
CREATE TABLE stock_lots (
  movement_id uuid CONSTRAINT pk_stock_lots PRIMARY KEY,
  stock_item_id uuid NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  quantity integer NOT NULL,
  unit_cost numeric(10,2),
  currency character varying(3),
  CONSTRAINT ck_stock_lots_quantity CHECK (quantity >= 0),
  CONSTRAINT fk_stock_lots_movement_id FOREIGN KEY (movement_id) REFERENCES stock_movements (id) ON DELETE CASCADE
);

CREATE INDEX ix_stock_lots_open ON stock_lots (stock_item_id, position) WHERE quantity > 0;

ALTER TABLE purchase_order_items ADD stock_item_id uuid;

CREATE INDEX ix_purchase_order_items_stock_item_id ON purchase_order_items (stock_item_id);

ALTER TABLE stock_items ADD CONSTRAINT fk_stock_items_category_id FOREIGN KEY (category_id) REFERENCES asset_categories(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_items ADD CONSTRAINT fk_stock_items_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE purchase_order_items ADD CONSTRAINT fk_purchase_order_items_stock_item_id FOREIGN KEY (stock_item_id) REFERENCES stock_items(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_stock_item_id FOREIGN KEY (stock_item_id) REFERENCES stock_items(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_to_site_id FOREIGN KEY (to_site_id) REFERENCES sites(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_to_location_id FOREIGN KEY (to_location_id) REFERENCES locations(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_person_id FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_purchase_order_item_id FOREIGN KEY (purchase_order_item_id) REFERENCES purchase_order_items(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE stock_movements ADD CONSTRAINT fk_stock_movements_receipt_id FOREIGN KEY (receipt_id) REFERENCES receipts(id) ON DELETE SET NULL ON UPDATE NO ACTION;

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_stock_items_search ON stock_items USING gin (name gin_trgm_ops, sku gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching stock_items will read all of it';
END
$$;

CREATE INDEX ix_stock_items_name_order ON stock_items (name COLLATE "C", id);

CREATE INDEX ix_stock_items_sku_order ON stock_items (sku COLLATE "C", id);

CREATE INDEX ix_stock_items_custom_fields ON stock_items USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_stock_movements_custom_fields ON stock_movements USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
