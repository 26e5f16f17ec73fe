CREATE TABLE rack_reservations (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  rack_id uuid,
  units integer array NOT NULL,
  face character varying(32),
  start_time TIMESTAMP(3) WITH TIME ZONE,
  end_time TIMESTAMP(3) WITH TIME ZONE,
  device_id uuid,
  person_id uuid,
  change_request_id uuid,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_face CHECK (face IN ('front', 'rear')),
  CONSTRAINT ck_rack_reservations_units CHECK (cardinality(units) > 0 AND 0 < ALL (units)),
  CONSTRAINT ck_rack_reservations_end_time CHECK (end_time > start_time),
  CONSTRAINT pk_rack_reservations PRIMARY KEY (id)
);

-- What reservations take of their racks: whole units, faces as in rack_placements, and the time. Kept by place_reservations.
CREATE TABLE rack_reservation_places (
  reservation_id uuid CONSTRAINT pk_rack_reservation_places PRIMARY KEY,
  rack_id uuid NOT NULL,
  units int4multirange NOT NULL,
  faces int4range NOT NULL,
  during tstzrange NOT NULL,
  CONSTRAINT ex_rack_reservation_places EXCLUDE USING gist (rack_id WITH =, units WITH &&, faces WITH &&, during WITH &&),
  CONSTRAINT fk_rack_reservation_places_reservation_id FOREIGN KEY (reservation_id) REFERENCES rack_reservations (id) ON DELETE CASCADE
);

CREATE INDEX ix_rack_reservations_created_at_id ON rack_reservations (created_at, id);

CREATE INDEX ix_rack_reservations_rack_id ON rack_reservations (rack_id);

CREATE INDEX ix_rack_reservations_device_id ON rack_reservations (device_id);

CREATE INDEX ix_rack_reservations_person_id ON rack_reservations (person_id);

CREATE INDEX ix_rack_reservations_change_request_id ON rack_reservations (change_request_id);

ALTER TABLE rack_reservations ADD CONSTRAINT fk_rack_reservations_rack_id FOREIGN KEY (rack_id) REFERENCES racks(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE rack_reservations ADD CONSTRAINT fk_rack_reservations_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE rack_reservations ADD CONSTRAINT fk_rack_reservations_person_id FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE rack_reservations ADD CONSTRAINT fk_rack_reservations_change_request_id FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE SET NULL ON UPDATE NO ACTION;

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_rack_reservations_search ON rack_reservations USING gin (description gin_trgm_ops) WITH (gin_pending_list_limit = 256) WHERE description IS NOT NULL;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching rack_reservations will read all of it';
END
$$;

CREATE INDEX ix_rack_reservations_custom_fields ON rack_reservations USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
