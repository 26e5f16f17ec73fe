
CREATE TABLE known_issue_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_known_issue_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_known_issue_approvals_created_at_id ON known_issue_approvals (created_at, id);

CREATE INDEX ix_known_issue_approvals_profile_id ON known_issue_approvals (profile_id);

CREATE INDEX ix_known_issue_approvals_record_id ON known_issue_approvals (record_id);

CREATE TABLE maintenance_window_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_maintenance_window_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_maintenance_window_approvals_created_at_id ON maintenance_window_approvals (created_at, id);

CREATE INDEX ix_maintenance_window_approvals_profile_id ON maintenance_window_approvals (profile_id);

CREATE INDEX ix_maintenance_window_approvals_record_id ON maintenance_window_approvals (record_id);

CREATE TABLE change_request_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_change_request_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_change_request_approvals_created_at_id ON change_request_approvals (created_at, id);

CREATE INDEX ix_change_request_approvals_profile_id ON change_request_approvals (profile_id);

CREATE INDEX ix_change_request_approvals_record_id ON change_request_approvals (record_id);

CREATE TABLE incident_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_incident_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_incident_approvals_created_at_id ON incident_approvals (created_at, id);

CREATE INDEX ix_incident_approvals_profile_id ON incident_approvals (profile_id);

CREATE INDEX ix_incident_approvals_record_id ON incident_approvals (record_id);

CREATE TABLE site_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_site_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_site_approvals_created_at_id ON site_approvals (created_at, id);

CREATE INDEX ix_site_approvals_profile_id ON site_approvals (profile_id);

CREATE INDEX ix_site_approvals_record_id ON site_approvals (record_id);

CREATE TABLE location_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_location_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_location_approvals_created_at_id ON location_approvals (created_at, id);

CREATE INDEX ix_location_approvals_profile_id ON location_approvals (profile_id);

CREATE INDEX ix_location_approvals_record_id ON location_approvals (record_id);

CREATE TABLE rack_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_rack_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_rack_approvals_created_at_id ON rack_approvals (created_at, id);

CREATE INDEX ix_rack_approvals_profile_id ON rack_approvals (profile_id);

CREATE INDEX ix_rack_approvals_record_id ON rack_approvals (record_id);

CREATE TABLE power_feed_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_power_feed_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_power_feed_approvals_created_at_id ON power_feed_approvals (created_at, id);

CREATE INDEX ix_power_feed_approvals_profile_id ON power_feed_approvals (profile_id);

CREATE INDEX ix_power_feed_approvals_record_id ON power_feed_approvals (record_id);

CREATE TABLE device_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_device_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_device_approvals_created_at_id ON device_approvals (created_at, id);

CREATE INDEX ix_device_approvals_profile_id ON device_approvals (profile_id);

CREATE INDEX ix_device_approvals_record_id ON device_approvals (record_id);

CREATE TABLE prefix_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_prefix_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_prefix_approvals_created_at_id ON prefix_approvals (created_at, id);

CREATE INDEX ix_prefix_approvals_profile_id ON prefix_approvals (profile_id);

CREATE INDEX ix_prefix_approvals_record_id ON prefix_approvals (record_id);

CREATE TABLE ip_address_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_ip_address_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_ip_address_approvals_created_at_id ON ip_address_approvals (created_at, id);

CREATE INDEX ix_ip_address_approvals_profile_id ON ip_address_approvals (profile_id);

CREATE INDEX ix_ip_address_approvals_record_id ON ip_address_approvals (record_id);

CREATE TABLE vlan_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_vlan_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_vlan_approvals_created_at_id ON vlan_approvals (created_at, id);

CREATE INDEX ix_vlan_approvals_profile_id ON vlan_approvals (profile_id);

CREATE INDEX ix_vlan_approvals_record_id ON vlan_approvals (record_id);

CREATE TABLE cluster_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_cluster_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_cluster_approvals_created_at_id ON cluster_approvals (created_at, id);

CREATE INDEX ix_cluster_approvals_profile_id ON cluster_approvals (profile_id);

CREATE INDEX ix_cluster_approvals_record_id ON cluster_approvals (record_id);

CREATE TABLE virtual_machine_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_virtual_machine_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_virtual_machine_approvals_created_at_id ON virtual_machine_approvals (created_at, id);

CREATE INDEX ix_virtual_machine_approvals_profile_id ON virtual_machine_approvals (profile_id);

CREATE INDEX ix_virtual_machine_approvals_record_id ON virtual_machine_approvals (record_id);

CREATE TABLE cable_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_cable_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_cable_approvals_created_at_id ON cable_approvals (created_at, id);

CREATE INDEX ix_cable_approvals_profile_id ON cable_approvals (profile_id);

CREATE INDEX ix_cable_approvals_record_id ON cable_approvals (record_id);

CREATE TABLE circuit_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_circuit_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_circuit_approvals_created_at_id ON circuit_approvals (created_at, id);

CREATE INDEX ix_circuit_approvals_profile_id ON circuit_approvals (profile_id);

CREATE INDEX ix_circuit_approvals_record_id ON circuit_approvals (record_id);

CREATE TABLE asset_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_asset_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_asset_approvals_created_at_id ON asset_approvals (created_at, id);

CREATE INDEX ix_asset_approvals_profile_id ON asset_approvals (profile_id);

CREATE INDEX ix_asset_approvals_record_id ON asset_approvals (record_id);

CREATE TABLE vendor_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_vendor_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_vendor_approvals_created_at_id ON vendor_approvals (created_at, id);

CREATE INDEX ix_vendor_approvals_profile_id ON vendor_approvals (profile_id);

CREATE INDEX ix_vendor_approvals_record_id ON vendor_approvals (record_id);

CREATE TABLE purchase_order_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_purchase_order_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_purchase_order_approvals_created_at_id ON purchase_order_approvals (created_at, id);

CREATE INDEX ix_purchase_order_approvals_profile_id ON purchase_order_approvals (profile_id);

CREATE INDEX ix_purchase_order_approvals_record_id ON purchase_order_approvals (record_id);

CREATE TABLE contract_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_contract_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_contract_approvals_created_at_id ON contract_approvals (created_at, id);

CREATE INDEX ix_contract_approvals_profile_id ON contract_approvals (profile_id);

CREATE INDEX ix_contract_approvals_record_id ON contract_approvals (record_id);

CREATE TABLE software_licence_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_software_licence_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_software_licence_approvals_created_at_id ON software_licence_approvals (created_at, id);

CREATE INDEX ix_software_licence_approvals_profile_id ON software_licence_approvals (profile_id);

CREATE INDEX ix_software_licence_approvals_record_id ON software_licence_approvals (record_id);

CREATE TABLE renewal_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_renewal_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_renewal_approvals_created_at_id ON renewal_approvals (created_at, id);

CREATE INDEX ix_renewal_approvals_profile_id ON renewal_approvals (profile_id);

CREATE INDEX ix_renewal_approvals_record_id ON renewal_approvals (record_id);

CREATE TABLE person_approvals (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  decision character varying(32) NOT NULL,
  comment text,
  digest character varying(64) NOT NULL,
  profile_id uuid,
  approver character varying(255) NOT NULL,
  role character varying(32) NOT NULL,
  token_id uuid,
  record_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_person_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_person_approvals_created_at_id ON person_approvals (created_at, id);

CREATE INDEX ix_person_approvals_profile_id ON person_approvals (profile_id);

CREATE INDEX ix_person_approvals_record_id ON person_approvals (record_id);

CREATE TABLE person_profiles (
  person_id uuid NOT NULL,
  profile_id uuid NOT NULL,
  CONSTRAINT pk_person_profiles PRIMARY KEY (person_id, profile_id)
);

CREATE INDEX ix_person_profiles_profile_id ON person_profiles (profile_id);

CREATE TABLE transitions (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  resource character varying(255) NOT NULL,
  field character varying(255) NOT NULL DEFAULT 'status',
  from_value character varying(255),
  to_value character varying(255) NOT NULL,
  role character varying(32) NOT NULL DEFAULT 'editor',
  approvals integer NOT NULL DEFAULT '0',
  approver_role character varying(32) NOT NULL DEFAULT 'manager',
  CONSTRAINT ck_role CHECK (role IN ('editor', 'manager', 'admin')),
  CONSTRAINT ck_approvals CHECK (approvals >= 0 AND approvals <= 5),
  CONSTRAINT ck_approver_role CHECK (approver_role IN ('editor', 'manager', 'admin')),
  CONSTRAINT pk_transitions PRIMARY KEY (id)
);

CREATE INDEX ix_transitions_created_at_id ON transitions (created_at, id);

CREATE UNIQUE INDEX uq_transitions_initial ON transitions (resource, field, to_value) WHERE from_value IS NULL;

CREATE UNIQUE INDEX uq_transitions ON transitions (resource, field, from_value, to_value) WHERE from_value IS NOT NULL;

ALTER TABLE change_log ADD approval_ids text array;

ALTER TABLE known_issue_approvals ADD CONSTRAINT fk_known_issue_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE known_issue_approvals ADD CONSTRAINT fk_known_issue_approvals_record_id FOREIGN KEY (record_id) REFERENCES known_issues(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE maintenance_window_approvals ADD CONSTRAINT fk_maintenance_window_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE maintenance_window_approvals ADD CONSTRAINT fk_maintenance_window_approvals_record_id FOREIGN KEY (record_id) REFERENCES maintenance_windows(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE change_request_approvals ADD CONSTRAINT fk_change_request_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE change_request_approvals ADD CONSTRAINT fk_change_request_approvals_record_id FOREIGN KEY (record_id) REFERENCES change_requests(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE incident_approvals ADD CONSTRAINT fk_incident_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE incident_approvals ADD CONSTRAINT fk_incident_approvals_record_id FOREIGN KEY (record_id) REFERENCES incidents(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE site_approvals ADD CONSTRAINT fk_site_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE site_approvals ADD CONSTRAINT fk_site_approvals_record_id FOREIGN KEY (record_id) REFERENCES sites(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE location_approvals ADD CONSTRAINT fk_location_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE location_approvals ADD CONSTRAINT fk_location_approvals_record_id FOREIGN KEY (record_id) REFERENCES locations(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE rack_approvals ADD CONSTRAINT fk_rack_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE rack_approvals ADD CONSTRAINT fk_rack_approvals_record_id FOREIGN KEY (record_id) REFERENCES racks(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE power_feed_approvals ADD CONSTRAINT fk_power_feed_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE power_feed_approvals ADD CONSTRAINT fk_power_feed_approvals_record_id FOREIGN KEY (record_id) REFERENCES power_feeds(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE device_approvals ADD CONSTRAINT fk_device_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE device_approvals ADD CONSTRAINT fk_device_approvals_record_id FOREIGN KEY (record_id) REFERENCES devices(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE prefix_approvals ADD CONSTRAINT fk_prefix_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE prefix_approvals ADD CONSTRAINT fk_prefix_approvals_record_id FOREIGN KEY (record_id) REFERENCES prefixes(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE ip_address_approvals ADD CONSTRAINT fk_ip_address_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE ip_address_approvals ADD CONSTRAINT fk_ip_address_approvals_record_id FOREIGN KEY (record_id) REFERENCES ip_addresses(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE vlan_approvals ADD CONSTRAINT fk_vlan_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE vlan_approvals ADD CONSTRAINT fk_vlan_approvals_record_id FOREIGN KEY (record_id) REFERENCES vlans(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE cluster_approvals ADD CONSTRAINT fk_cluster_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE cluster_approvals ADD CONSTRAINT fk_cluster_approvals_record_id FOREIGN KEY (record_id) REFERENCES clusters(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE virtual_machine_approvals ADD CONSTRAINT fk_virtual_machine_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE virtual_machine_approvals ADD CONSTRAINT fk_virtual_machine_approvals_record_id FOREIGN KEY (record_id) REFERENCES virtual_machines(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE cable_approvals ADD CONSTRAINT fk_cable_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE cable_approvals ADD CONSTRAINT fk_cable_approvals_record_id FOREIGN KEY (record_id) REFERENCES cables(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE circuit_approvals ADD CONSTRAINT fk_circuit_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE circuit_approvals ADD CONSTRAINT fk_circuit_approvals_record_id FOREIGN KEY (record_id) REFERENCES circuits(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE asset_approvals ADD CONSTRAINT fk_asset_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE asset_approvals ADD CONSTRAINT fk_asset_approvals_record_id FOREIGN KEY (record_id) REFERENCES assets(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE vendor_approvals ADD CONSTRAINT fk_vendor_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE vendor_approvals ADD CONSTRAINT fk_vendor_approvals_record_id FOREIGN KEY (record_id) REFERENCES vendors(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE purchase_order_approvals ADD CONSTRAINT fk_purchase_order_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE purchase_order_approvals ADD CONSTRAINT fk_purchase_order_approvals_record_id FOREIGN KEY (record_id) REFERENCES purchase_orders(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE contract_approvals ADD CONSTRAINT fk_contract_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE contract_approvals ADD CONSTRAINT fk_contract_approvals_record_id FOREIGN KEY (record_id) REFERENCES contracts(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE software_licence_approvals ADD CONSTRAINT fk_software_licence_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE software_licence_approvals ADD CONSTRAINT fk_software_licence_approvals_record_id FOREIGN KEY (record_id) REFERENCES software_licences(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE renewal_approvals ADD CONSTRAINT fk_renewal_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE renewal_approvals ADD CONSTRAINT fk_renewal_approvals_record_id FOREIGN KEY (record_id) REFERENCES renewals(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE person_approvals ADD CONSTRAINT fk_person_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE person_approvals ADD CONSTRAINT fk_person_approvals_record_id FOREIGN KEY (record_id) REFERENCES people(id) ON DELETE CASCADE ON UPDATE NO ACTION;

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_transitions_search ON transitions USING gin (resource gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching transitions will read all of it';
END
$$;

CREATE INDEX ix_transitions_resource_order ON transitions (resource COLLATE "C", id);

CREATE INDEX ix_known_issue_approvals_custom_fields ON known_issue_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_maintenance_window_approvals_custom_fields ON maintenance_window_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_change_request_approvals_custom_fields ON change_request_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_incident_approvals_custom_fields ON incident_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_site_approvals_custom_fields ON site_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_location_approvals_custom_fields ON location_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_rack_approvals_custom_fields ON rack_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_power_feed_approvals_custom_fields ON power_feed_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_device_approvals_custom_fields ON device_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_prefix_approvals_custom_fields ON prefix_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_ip_address_approvals_custom_fields ON ip_address_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_vlan_approvals_custom_fields ON vlan_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_cluster_approvals_custom_fields ON cluster_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_virtual_machine_approvals_custom_fields ON virtual_machine_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_cable_approvals_custom_fields ON cable_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_circuit_approvals_custom_fields ON circuit_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_asset_approvals_custom_fields ON asset_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_vendor_approvals_custom_fields ON vendor_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_purchase_order_approvals_custom_fields ON purchase_order_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_contract_approvals_custom_fields ON contract_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_software_licence_approvals_custom_fields ON software_licence_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_renewal_approvals_custom_fields ON renewal_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

CREATE INDEX ix_person_approvals_custom_fields ON person_approvals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;

-- Which profiles people name, or by the log have named.
INSERT INTO person_profiles (person_id, profile_id)
  SELECT id, profile_id FROM people WHERE profile_id IS NOT NULL
  UNION SELECT c.record_id, named.profile_id::uuid FROM change_log c, unnest(ARRAY[c.old_values->>'profile_id', c.new_values->>'profile_id']) named (profile_id)
    WHERE c.resource = 'people' AND named.profile_id IS NOT NULL;
