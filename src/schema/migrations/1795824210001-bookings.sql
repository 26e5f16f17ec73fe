CREATE TABLE bookings (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  asset_id uuid,
  device_id uuid,
  category_id uuid,
  start_time TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  end_time TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  status character varying(32) NOT NULL DEFAULT 'booked',
  person_id uuid,
  change_request_id uuid,
  purpose text,
  no_show_minutes integer,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_status CHECK (status IN ('booked', 'out', 'ended', 'cancelled')),
  CONSTRAINT ck_no_show_minutes CHECK (no_show_minutes >= 1),
  CONSTRAINT ck_bookings_end_time CHECK (end_time > start_time),
  CONSTRAINT ck_bookings_record CHECK (num_nonnulls(asset_id, device_id) = 1),
  CONSTRAINT ex_bookings_record EXCLUDE USING gist (record_id WITH =, tstzrange(start_time, end_time) WITH &&) WHERE (status = ANY (ARRAY['booked'::text, 'out'::text])),
  CONSTRAINT pk_bookings PRIMARY KEY (id)
);

CREATE INDEX ix_bookings_created_at_id ON bookings (created_at, id);

CREATE INDEX ix_bookings_asset_id ON bookings (asset_id);

CREATE INDEX ix_bookings_device_id ON bookings (device_id);

CREATE INDEX ix_bookings_category_id ON bookings (category_id);

CREATE INDEX ix_bookings_person_id ON bookings (person_id);

CREATE INDEX ix_bookings_change_request_id ON bookings (change_request_id);

CREATE INDEX ix_bookings_no_show ON bookings (start_time) WHERE status = 'booked' AND no_show_minutes IS NOT NULL;

ALTER TABLE asset_assignments ADD due_at TIMESTAMP(3) WITH TIME ZONE;

ALTER TABLE bookings ADD CONSTRAINT fk_bookings_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE bookings ADD CONSTRAINT fk_bookings_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE bookings ADD CONSTRAINT fk_bookings_category_id FOREIGN KEY (category_id) REFERENCES asset_categories(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE bookings ADD CONSTRAINT fk_bookings_person_id FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE bookings ADD CONSTRAINT fk_bookings_change_request_id FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE SET NULL ON UPDATE NO ACTION;

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_bookings_search ON bookings USING gin (purpose gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching bookings will read all of it';
END
$$;

CREATE INDEX ix_bookings_custom_fields ON bookings USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
