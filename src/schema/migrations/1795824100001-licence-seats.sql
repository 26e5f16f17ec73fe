-- Generated (e198948ad689ec9d) by `npm run migration:generate -- licence-seats`, which replaces it until it is edited or committed.

CREATE TABLE software_licence_seats (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  software_licence_id uuid NOT NULL,
  person_id uuid,
  asset_id uuid,
  device_id uuid,
  custom_fields jsonb,
  CONSTRAINT ck_software_licence_seats_several CHECK (num_nonnulls(person_id, asset_id, device_id) < 2),
  CONSTRAINT ck_software_licence_seats_none CHECK (num_nonnulls(person_id, asset_id, device_id) > 0),
  CONSTRAINT pk_software_licence_seats PRIMARY KEY (id)
);

CREATE INDEX ix_software_licence_seats_created_at_id ON software_licence_seats (created_at, id);

CREATE INDEX ix_software_licence_seats_software_licence_id ON software_licence_seats (software_licence_id);

CREATE UNIQUE INDEX uq_software_licence_seats_device ON software_licence_seats (device_id, software_licence_id) WHERE device_id IS NOT NULL;

CREATE UNIQUE INDEX uq_software_licence_seats_asset ON software_licence_seats (asset_id, software_licence_id) WHERE asset_id IS NOT NULL;

CREATE UNIQUE INDEX uq_software_licence_seats_person ON software_licence_seats (person_id, software_licence_id) WHERE person_id IS NOT NULL;

ALTER TABLE software_licence_seats ADD CONSTRAINT fk_software_licence_seats_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE software_licence_seats ADD CONSTRAINT fk_software_licence_seats_person_id FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE software_licence_seats ADD CONSTRAINT fk_software_licence_seats_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE software_licence_seats ADD CONSTRAINT fk_software_licence_seats_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX ix_software_licence_seats_custom_fields ON software_licence_seats USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
