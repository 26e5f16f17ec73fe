-- Every table, in the order of the specification. What the triggers and functions do is in `../functions`.

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Indexes hold what these functions return, so a change of one needs a migration that makes its indexes anew.

-- A text with the numbers in it filled up with zeros, so that Ethernet1/2 comes before Ethernet1/10. Numbers of more than
-- twelve digits are compared as texts.
CREATE FUNCTION natural_order(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(name, '([0-9]+)', '000000000000\1', 'g'), '0*([0-9]{12,})', '\1', 'g')
$$;

-- The whole numbers in a text, for the search of addresses: the trigrams of `host-4711.` are in many addresses, the number
-- 4711 is in few. Inlined into the expression of the index.
CREATE FUNCTION numbers_in(texts text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_remove(regexp_split_to_array(texts, '[^0-9]+'), '')
$$;

CREATE TYPE change_log_key AS (created_at timestamptz, id uuid);

CREATE SEQUENCE change_log_sequence;

-- Operations.

CREATE TABLE on_call_schedules (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_on_call_schedules PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  person_id uuid,
  start_time timestamptz(3),
  end_time timestamptz(3),
  rotation varchar(255),
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_on_call_schedule_end_time CHECK (end_time >= start_time)
);
CREATE INDEX ix_on_call_schedules_created_at_id ON on_call_schedules (created_at, id);
CREATE INDEX ix_on_call_schedules_custom_fields ON on_call_schedules USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_on_call_schedules_end ON on_call_schedules (end_time) INCLUDE (rotation, name);
CREATE INDEX ix_on_call_schedules_hours ON on_call_schedules USING gist (tstzrange(start_time, end_time));
CREATE INDEX ix_on_call_schedules_name_order ON on_call_schedules (name COLLATE "C", id);
CREATE INDEX ix_on_call_schedules_person_id ON on_call_schedules (person_id);
CREATE INDEX ix_on_call_schedules_roster ON on_call_schedules (COALESCE(rotation, name), start_time, id);

CREATE TABLE runbooks (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_runbooks PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  category varchar(255),
  content text,
  owner_id uuid,
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_runbooks_created_at_id ON runbooks (created_at, id);
CREATE INDEX ix_runbooks_custom_fields ON runbooks USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_runbooks_name_order ON runbooks (name COLLATE "C", id);
CREATE INDEX ix_runbooks_owner_id ON runbooks (owner_id);
CREATE INDEX ix_runbooks_words ON runbooks USING gin (to_tsvector('english', name || ' ' || coalesce(description, '')));

CREATE TABLE known_issues (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_known_issues PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  severity varchar(255) DEFAULT 'medium' NOT NULL,
  status varchar(255) DEFAULT 'open' NOT NULL,
  affected_system varchar(255),
  workaround text,
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_known_issues_created_at_id ON known_issues (created_at, id);
CREATE INDEX ix_known_issues_custom_fields ON known_issues USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_known_issues_name_order ON known_issues (name COLLATE "C", id);
CREATE INDEX ix_known_issues_status_created_at_id ON known_issues (status COLLATE "C", created_at, id);
CREATE INDEX ix_known_issues_words ON known_issues USING gin (to_tsvector('english', name || ' ' || coalesce(description, '')));

CREATE TABLE maintenance_windows (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_maintenance_windows PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  start_time timestamptz(3),
  end_time timestamptz(3),
  status varchar(255) DEFAULT 'scheduled' NOT NULL,
  impact text,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_maintenance_window_end_time CHECK (end_time >= start_time)
);
CREATE INDEX ix_maintenance_windows_created_at_id ON maintenance_windows (created_at, id);
CREATE INDEX ix_maintenance_windows_custom_fields ON maintenance_windows USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_maintenance_windows_hours ON maintenance_windows USING gist (tstzrange(start_time, end_time));
CREATE INDEX ix_maintenance_windows_name_order ON maintenance_windows (name COLLATE "C", id);
CREATE INDEX ix_maintenance_windows_pending ON maintenance_windows USING gist (tstzrange(start_time, end_time)) WHERE status NOT IN ('completed', 'cancelled');
CREATE INDEX ix_maintenance_windows_status_created_at_id ON maintenance_windows (status COLLATE "C", created_at, id);

CREATE TABLE change_requests (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_change_requests PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  status varchar(255) DEFAULT 'draft' NOT NULL,
  risk varchar(255) DEFAULT 'low' NOT NULL,
  requested_by_id uuid,
  scheduled_for timestamptz(3),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_change_requests_created_at_id ON change_requests (created_at, id);
CREATE INDEX ix_change_requests_custom_fields ON change_requests USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_change_requests_name_order ON change_requests (name COLLATE "C", id);
CREATE INDEX ix_change_requests_pending ON change_requests (scheduled_for) WHERE status NOT IN ('completed', 'failed', 'cancelled', 'rejected');
CREATE INDEX ix_change_requests_requested_by_id ON change_requests (requested_by_id);
CREATE INDEX ix_change_requests_scheduled_for ON change_requests (scheduled_for);
CREATE INDEX ix_change_requests_status_created_at_id ON change_requests (status COLLATE "C", created_at, id);

CREATE TABLE incidents (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_incidents PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  severity varchar(255) DEFAULT 'sev3',
  status varchar(255) DEFAULT 'open',
  detected_at timestamptz(3),
  resolved_at timestamptz(3),
  assigned_to_id uuid,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_incident_resolved_at CHECK (resolved_at >= detected_at)
);
CREATE INDEX ix_incidents_assigned_to_id ON incidents (assigned_to_id);
CREATE INDEX ix_incidents_created_at_id ON incidents (created_at, id);
CREATE INDEX ix_incidents_custom_fields ON incidents USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_incidents_name_order ON incidents (name COLLATE "C", id);
CREATE INDEX ix_incidents_open ON incidents (id) WHERE coalesce(status, 'open') NOT IN ('resolved', 'closed');
CREATE INDEX ix_incidents_status_created_at_id ON incidents (status COLLATE "C", created_at, id);

CREATE TABLE incident_updates (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_incident_updates PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  incident_id uuid NOT NULL,
  message text NOT NULL,
  status varchar(255),
  severity varchar(255),
  author varchar(255) NOT NULL,
  custom_fields jsonb
);
CREATE INDEX ix_incident_updates_created_at_id ON incident_updates (created_at, id);
CREATE INDEX ix_incident_updates_custom_fields ON incident_updates USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_incident_updates_incident_id ON incident_updates (incident_id);

-- Network.

CREATE TABLE regions (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_regions PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  parent_id uuid,
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_regions_created_at_id ON regions (created_at, id);
CREATE INDEX ix_regions_custom_fields ON regions USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_regions_name_order ON regions (name COLLATE "C", id);
CREATE INDEX ix_regions_parent_id ON regions (parent_id);
CREATE INDEX ix_regions_slug_order ON regions (slug COLLATE "C", id);

CREATE TABLE sites (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_sites PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  status varchar(255) DEFAULT 'active' NOT NULL,
  facility varchar(255),
  physical_address text,
  time_zone varchar(255),
  latitude double precision,
  longitude double precision,
  description text,
  region_id uuid,
  custom_fields jsonb,
  CONSTRAINT ck_latitude CHECK (latitude BETWEEN -90 AND 90),
  CONSTRAINT ck_longitude CHECK (longitude BETWEEN -180 AND 180)
);
CREATE INDEX ix_sites_created_at_id ON sites (created_at, id);
CREATE INDEX ix_sites_custom_fields ON sites USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_sites_facility_order ON sites (facility COLLATE "C", id);
CREATE INDEX ix_sites_name_order ON sites (name COLLATE "C", id);
CREATE INDEX ix_sites_region_id ON sites (region_id);
CREATE INDEX ix_sites_slug_order ON sites (slug COLLATE "C", id);
CREATE INDEX ix_sites_status_created_at_id ON sites (status COLLATE "C", created_at, id);

CREATE TABLE locations (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_locations PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  site_id uuid,
  parent_id uuid,
  status varchar(255) DEFAULT 'active' NOT NULL,
  facility varchar(255),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_locations_created_at_id ON locations (created_at, id);
CREATE INDEX ix_locations_custom_fields ON locations USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_locations_facility_order ON locations (facility COLLATE "C", id);
CREATE INDEX ix_locations_name_order ON locations (name COLLATE "C", id);
CREATE INDEX ix_locations_parent_id ON locations (parent_id);
CREATE INDEX ix_locations_site_id ON locations (site_id);
CREATE INDEX ix_locations_slug_order ON locations (slug COLLATE "C", id);
CREATE INDEX ix_locations_status_created_at_id ON locations (status COLLATE "C", created_at, id);

CREATE TABLE racks (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_racks PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  site_id uuid,
  location_id uuid,
  units integer,
  status varchar(255) DEFAULT 'active' NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_units CHECK (units >= 0)
);
CREATE INDEX ix_racks_created_at_id ON racks (created_at, id);
CREATE INDEX ix_racks_custom_fields ON racks USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_racks_location_id ON racks (location_id);
CREATE INDEX ix_racks_name_order ON racks (name COLLATE "C", id);
CREATE INDEX ix_racks_site_id ON racks (site_id);
CREATE INDEX ix_racks_status_created_at_id ON racks (status COLLATE "C", created_at, id);

CREATE TABLE rack_placements (
  device_id uuid CONSTRAINT pk_rack_placements PRIMARY KEY,
  rack_id uuid NOT NULL,
  faces int4range NOT NULL,
  units int4range NOT NULL,
  cluster uuid NOT NULL,
  CONSTRAINT ex_rack_placements EXCLUDE USING gist (rack_id WITH =, faces WITH &&, units WITH &&, cluster WITH <>)
);

CREATE TABLE power_feeds (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_power_feeds PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  site_id uuid,
  rack_id uuid,
  panel varchar(255),
  status varchar(255) DEFAULT 'active' NOT NULL,
  type varchar(32) DEFAULT 'primary' NOT NULL,
  supply varchar(32) DEFAULT 'ac' NOT NULL,
  phase varchar(32) DEFAULT 'single' NOT NULL,
  voltage_v double precision,
  amperage_a double precision,
  maximum_utilisation integer DEFAULT 80 NOT NULL,
  tenant_group_id uuid,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_amperage_a CHECK (amperage_a BETWEEN 0 AND 1000000),
  CONSTRAINT ck_maximum_utilisation CHECK (maximum_utilisation BETWEEN 1 AND 100),
  CONSTRAINT ck_phase CHECK (phase IN ('single', 'three')),
  CONSTRAINT ck_supply CHECK (supply IN ('ac', 'dc')),
  CONSTRAINT ck_type CHECK (type IN ('primary', 'redundant')),
  CONSTRAINT ck_voltage_v CHECK (voltage_v BETWEEN -1000000 AND 1000000)
);
CREATE INDEX ix_power_feeds_created_at_id ON power_feeds (created_at, id);
CREATE INDEX ix_power_feeds_custom_fields ON power_feeds USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_power_feeds_name_order ON power_feeds (name COLLATE "C", id);
CREATE INDEX ix_power_feeds_panel_order ON power_feeds (panel COLLATE "C", id);
CREATE INDEX ix_power_feeds_rack_id ON power_feeds (rack_id);
CREATE INDEX ix_power_feeds_site_id ON power_feeds (site_id);
CREATE INDEX ix_power_feeds_status_created_at_id ON power_feeds (status COLLATE "C", created_at, id);
CREATE INDEX ix_power_feeds_tenant_group_id ON power_feeds (tenant_group_id);

CREATE TABLE manufacturers (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_manufacturers PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  website varchar(255),
  support_url varchar(255),
  support_email varchar(255),
  support_phone varchar(255),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_manufacturers_created_at_id ON manufacturers (created_at, id);
CREATE INDEX ix_manufacturers_custom_fields ON manufacturers USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_manufacturers_name_order ON manufacturers (name COLLATE "C", id);
CREATE INDEX ix_manufacturers_slug_order ON manufacturers (slug COLLATE "C", id);

CREATE TABLE platforms (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_platforms PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  manufacturer_id uuid,
  description text,
  nos_family varchar(255),
  typical_devices text,
  key_features text,
  common_use_cases text,
  commercial_status varchar(32),
  automation_apis text[] DEFAULT '{}' NOT NULL,
  popular boolean DEFAULT false NOT NULL,
  source varchar(32) DEFAULT 'customer' NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_commercial_status CHECK (commercial_status IN ('active', 'eos', 'eol', 'limited', 'open-source')),
  CONSTRAINT ck_source CHECK (source IN ('vendor', 'customer'))
);
CREATE INDEX ix_platforms_created_at_id ON platforms (created_at, id);
CREATE INDEX ix_platforms_custom_fields ON platforms USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_platforms_manufacturer_id ON platforms (manufacturer_id);
CREATE INDEX ix_platforms_name_order ON platforms (name COLLATE "C", id);
CREATE INDEX ix_platforms_slug_order ON platforms (slug COLLATE "C", id);

CREATE TABLE device_roles (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_device_roles PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  color varchar(255) DEFAULT '#4F6EF7' NOT NULL,
  description text,
  tier varchar(32),
  redundancy varchar(32),
  compliance_baselines text[] DEFAULT '{}' NOT NULL,
  vm_role boolean DEFAULT false NOT NULL,
  typical_location varchar(255),
  responsibilities text,
  popular boolean DEFAULT false NOT NULL,
  source varchar(32) DEFAULT 'customer' NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_redundancy CHECK (redundancy IN ('optional', 'recommended', 'required')),
  CONSTRAINT ck_source CHECK (source IN ('vendor', 'customer')),
  CONSTRAINT ck_tier CHECK (tier IN ('access', 'distribution', 'core', 'spine', 'leaf', 'border-leaf', 'ai-fabric', 'edge', 'sp-edge', 'sp-core', 'customer-edge', 'branch', 'security', 'wireless', 'storage', 'compute', 'mgmt', 'optical', 'dci', 'passive', 'monitoring'))
);
CREATE INDEX ix_device_roles_created_at_id ON device_roles (created_at, id);
CREATE INDEX ix_device_roles_custom_fields ON device_roles USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_device_roles_name_order ON device_roles (name COLLATE "C", id);
CREATE INDEX ix_device_roles_slug_order ON device_roles (slug COLLATE "C", id);

CREATE TABLE device_types (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_device_types PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  model varchar(255) NOT NULL,
  manufacturer_id uuid,
  slug varchar(255),
  part_number varchar(255),
  u_height double precision,
  is_full_depth boolean DEFAULT true NOT NULL,
  description text,
  source varchar(32) DEFAULT 'customer' NOT NULL,
  weight double precision,
  airflow varchar(255),
  subdevice_role varchar(255),
  is_powered boolean DEFAULT true NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_source CHECK (source IN ('vendor', 'customer')),
  CONSTRAINT ck_u_height CHECK (u_height BETWEEN 0 AND 1000),
  CONSTRAINT ck_weight CHECK (weight BETWEEN 0 AND 100000)
);
CREATE INDEX ix_device_types_created_at_id ON device_types (created_at, id);
CREATE INDEX ix_device_types_custom_fields ON device_types USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_device_types_manufacturer_id ON device_types (manufacturer_id);
CREATE INDEX ix_device_types_model_order ON device_types (model COLLATE "C", id);
CREATE INDEX ix_device_types_part_number_order ON device_types (part_number COLLATE "C", id);
CREATE INDEX ix_device_types_slug_order ON device_types (slug COLLATE "C", id);

CREATE TABLE device_type_modules (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_device_type_modules PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  device_type_id uuid NOT NULL,
  sku varchar(255) NOT NULL,
  name varchar(255) NOT NULL,
  description text,
  slot_label varchar(255),
  connector_type varchar(255),
  speeds text[] DEFAULT '{}' NOT NULL,
  port_count integer,
  poe_standard varchar(255),
  poe_watts integer,
  notes text,
  sort_order integer,
  source varchar(255) DEFAULT 'customer' NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_poe_watts CHECK (poe_watts >= 0),
  CONSTRAINT ck_port_count CHECK (port_count >= 0)
);
CREATE INDEX ix_device_type_modules_created_at_id ON device_type_modules (created_at, id);
CREATE INDEX ix_device_type_modules_custom_fields ON device_type_modules USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_device_type_modules_device_type_id ON device_type_modules (device_type_id);

CREATE TABLE device_type_ports (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_device_type_ports PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  device_type_id uuid NOT NULL,
  name varchar(255) NOT NULL,
  label varchar(255),
  type varchar(255),
  mgmt_only boolean DEFAULT false NOT NULL,
  speed_mbps integer,
  description text,
  kind varchar(32) DEFAULT 'network' NOT NULL,
  maximum_draw_w integer,
  allocated_draw_w integer,
  power_port_id uuid,
  feed_leg varchar(32),
  rear_port_id uuid,
  rear_position integer,
  positions integer,
  custom_fields jsonb,
  CONSTRAINT ck_allocated_draw_w CHECK (allocated_draw_w >= 0),
  CONSTRAINT ck_device_type_ports_allocated_draw_w_kind CHECK (kind = 'power' OR allocated_draw_w IS NULL),
  CONSTRAINT ck_device_type_ports_feed_leg_kind CHECK (kind = 'outlet' OR feed_leg IS NULL),
  CONSTRAINT ck_device_type_ports_maximum_draw_w_kind CHECK (kind = 'power' OR maximum_draw_w IS NULL),
  CONSTRAINT ck_device_type_ports_positions_kind CHECK (kind = 'rear' OR positions IS NULL),
  CONSTRAINT ck_device_type_ports_positions_rear CHECK (kind <> 'rear' OR positions IS NOT NULL),
  CONSTRAINT ck_device_type_ports_power_port_id_kind CHECK (kind = 'outlet' OR power_port_id IS NULL),
  CONSTRAINT ck_device_type_ports_rear_port_id_front CHECK (kind <> 'front' OR rear_port_id IS NOT NULL),
  CONSTRAINT ck_device_type_ports_rear_port_id_kind CHECK (kind = 'front' OR rear_port_id IS NULL),
  CONSTRAINT ck_device_type_ports_rear_position_front CHECK (kind <> 'front' OR rear_position IS NOT NULL),
  CONSTRAINT ck_device_type_ports_rear_position_kind CHECK (kind = 'front' OR rear_position IS NULL),
  CONSTRAINT ck_device_type_ports_speed_mbps_kind CHECK (kind = 'network' OR speed_mbps IS NULL),
  CONSTRAINT ck_feed_leg CHECK (feed_leg IN ('A', 'B', 'C')),
  CONSTRAINT ck_kind CHECK (kind IN ('network', 'console', 'console-server', 'power', 'outlet', 'front', 'rear')),
  CONSTRAINT ck_maximum_draw_w CHECK (maximum_draw_w >= 0),
  CONSTRAINT ck_positions CHECK (positions BETWEEN 1 AND 1024),
  CONSTRAINT ck_rear_position CHECK (rear_position BETWEEN 1 AND 1024),
  CONSTRAINT ck_speed_mbps CHECK (speed_mbps >= 0)
);
CREATE INDEX ix_device_type_ports_created_at_id ON device_type_ports (created_at, id);
CREATE INDEX ix_device_type_ports_custom_fields ON device_type_ports USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE UNIQUE INDEX ix_device_type_ports_device_type_id_kind_name ON device_type_ports (device_type_id, kind, name);
CREATE INDEX ix_device_type_ports_label_order ON device_type_ports (label COLLATE "C", id);
CREATE INDEX ix_device_type_ports_name_natural ON device_type_ports (natural_order(name) COLLATE "C", name COLLATE "C", id);
CREATE INDEX ix_device_type_ports_name_order ON device_type_ports (name COLLATE "C", id);
CREATE INDEX ix_device_type_ports_power_port_id ON device_type_ports (power_port_id) WHERE power_port_id IS NOT NULL;
CREATE UNIQUE INDEX ix_device_type_ports_rear_port_id_rear_position ON device_type_ports (rear_port_id, rear_position) WHERE rear_port_id IS NOT NULL;

CREATE TABLE devices (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_devices PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  device_type_id uuid,
  device_role_id uuid,
  platform_id uuid,
  site_id uuid,
  location_id uuid,
  rack_id uuid,
  rack_position double precision,
  rack_face varchar(32),
  cluster_id uuid,
  tenant_group_id uuid,
  asset_id uuid,
  status varchar(255) DEFAULT 'active' NOT NULL,
  serial_number varchar(255),
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_rack_face CHECK (rack_face IN ('front', 'rear')),
  CONSTRAINT ck_rack_position CHECK (rack_position BETWEEN 0 AND 1000)
);
CREATE INDEX ix_devices_asset_id ON devices (asset_id);
CREATE INDEX ix_devices_cluster_id ON devices (cluster_id);
CREATE INDEX ix_devices_created_at_id ON devices (created_at, id);
CREATE INDEX ix_devices_custom_fields ON devices USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_devices_device_role_id ON devices (device_role_id);
CREATE INDEX ix_devices_device_type_id ON devices (device_type_id);
CREATE INDEX ix_devices_location_id ON devices (location_id);
CREATE INDEX ix_devices_name_order ON devices (name COLLATE "C", id);
CREATE INDEX ix_devices_platform_id ON devices (platform_id);
CREATE INDEX ix_devices_rack_id ON devices (rack_id);
CREATE INDEX ix_devices_serial_number_order ON devices (serial_number COLLATE "C", id);
CREATE INDEX ix_devices_site_id ON devices (site_id);
CREATE INDEX ix_devices_status_created_at_id ON devices (status COLLATE "C", created_at, id);
CREATE INDEX ix_devices_tenant_group_id ON devices (tenant_group_id);

CREATE TABLE device_ports (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_device_ports PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  device_id uuid NOT NULL,
  name varchar(255) NOT NULL,
  label varchar(255),
  type varchar(255),
  enabled boolean DEFAULT true NOT NULL,
  mac_address varchar(255),
  mtu integer,
  speed_mbps integer,
  mgmt_only boolean DEFAULT false NOT NULL,
  description text,
  kind varchar(32) DEFAULT 'network' NOT NULL,
  parent_id uuid,
  lag_id uuid,
  mode varchar(32),
  untagged_vlan_id uuid,
  vrf_id uuid,
  maximum_draw_w integer,
  allocated_draw_w integer,
  power_port_id uuid,
  feed_leg varchar(32),
  rear_port_id uuid,
  rear_position integer,
  positions integer,
  custom_fields jsonb,
  CONSTRAINT ck_allocated_draw_w CHECK (allocated_draw_w >= 0),
  CONSTRAINT ck_device_ports_allocated_draw_w_kind CHECK (kind = 'power' OR allocated_draw_w IS NULL),
  CONSTRAINT ck_device_ports_feed_leg_kind CHECK (kind = 'outlet' OR feed_leg IS NULL),
  CONSTRAINT ck_device_ports_lag_id_kind CHECK (kind = 'network' OR lag_id IS NULL),
  CONSTRAINT ck_device_ports_mac_address_kind CHECK (kind = 'network' OR mac_address IS NULL),
  CONSTRAINT ck_device_ports_maximum_draw_w_kind CHECK (kind = 'power' OR maximum_draw_w IS NULL),
  CONSTRAINT ck_device_ports_mode_kind CHECK (kind = 'network' OR mode IS NULL),
  CONSTRAINT ck_device_ports_mtu_kind CHECK (kind = 'network' OR mtu IS NULL),
  CONSTRAINT ck_device_ports_parent_id_kind CHECK (kind = 'network' OR parent_id IS NULL),
  CONSTRAINT ck_device_ports_positions_kind CHECK (kind = 'rear' OR positions IS NULL),
  CONSTRAINT ck_device_ports_positions_rear CHECK (kind <> 'rear' OR positions IS NOT NULL),
  CONSTRAINT ck_device_ports_power_port_id_kind CHECK (kind = 'outlet' OR power_port_id IS NULL),
  CONSTRAINT ck_device_ports_rear_port_id_front CHECK (kind <> 'front' OR rear_port_id IS NOT NULL),
  CONSTRAINT ck_device_ports_rear_port_id_kind CHECK (kind = 'front' OR rear_port_id IS NULL),
  CONSTRAINT ck_device_ports_rear_position_front CHECK (kind <> 'front' OR rear_position IS NOT NULL),
  CONSTRAINT ck_device_ports_rear_position_kind CHECK (kind = 'front' OR rear_position IS NULL),
  CONSTRAINT ck_device_ports_speed_mbps_kind CHECK (kind = 'network' OR speed_mbps IS NULL),
  CONSTRAINT ck_device_ports_untagged_vlan_id_kind CHECK (kind = 'network' OR untagged_vlan_id IS NULL),
  CONSTRAINT ck_device_ports_vrf_id_kind CHECK (kind = 'network' OR vrf_id IS NULL),
  CONSTRAINT ck_feed_leg CHECK (feed_leg IN ('A', 'B', 'C')),
  CONSTRAINT ck_kind CHECK (kind IN ('network', 'console', 'console-server', 'power', 'outlet', 'front', 'rear')),
  CONSTRAINT ck_maximum_draw_w CHECK (maximum_draw_w >= 0),
  CONSTRAINT ck_mode CHECK (mode IN ('access', 'tagged', 'tagged-all')),
  CONSTRAINT ck_mtu CHECK (mtu >= 0),
  CONSTRAINT ck_positions CHECK (positions BETWEEN 1 AND 1024),
  CONSTRAINT ck_rear_position CHECK (rear_position BETWEEN 1 AND 1024),
  CONSTRAINT ck_speed_mbps CHECK (speed_mbps >= 0)
);
CREATE INDEX ix_device_ports_created_at_id ON device_ports (created_at, id);
CREATE INDEX ix_device_ports_custom_fields ON device_ports USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE UNIQUE INDEX ix_device_ports_device_id_kind_name ON device_ports (device_id, kind, name);
CREATE INDEX ix_device_ports_label_order ON device_ports (label COLLATE "C", id);
CREATE INDEX ix_device_ports_lag_id ON device_ports (lag_id) WHERE lag_id IS NOT NULL;
CREATE INDEX ix_device_ports_mac_address_order ON device_ports (mac_address COLLATE "C", id);
CREATE INDEX ix_device_ports_name_natural ON device_ports (natural_order(name) COLLATE "C", name COLLATE "C", id);
CREATE INDEX ix_device_ports_name_order ON device_ports (name COLLATE "C", id);
CREATE INDEX ix_device_ports_parent_id ON device_ports (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX ix_device_ports_power_port_id ON device_ports (power_port_id) WHERE power_port_id IS NOT NULL;
CREATE UNIQUE INDEX ix_device_ports_rear_port_id_rear_position ON device_ports (rear_port_id, rear_position) WHERE rear_port_id IS NOT NULL;
CREATE INDEX ix_device_ports_untagged_vlan_id ON device_ports (untagged_vlan_id);
CREATE INDEX ix_device_ports_vrf_id ON device_ports (vrf_id);

CREATE TABLE free_ports (
  port_id uuid CONSTRAINT pk_free_ports PRIMARY KEY,
  device_id uuid NOT NULL
);
CREATE INDEX ix_free_ports_device_id ON free_ports (device_id);

CREATE TABLE device_port_vlans (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_device_port_vlans PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  port_id uuid NOT NULL,
  vlan_id uuid NOT NULL,
  custom_fields jsonb
);
CREATE INDEX ix_device_port_vlans_created_at_id ON device_port_vlans (created_at, id);
CREATE INDEX ix_device_port_vlans_custom_fields ON device_port_vlans USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE UNIQUE INDEX ix_device_port_vlans_port_id_vlan_id ON device_port_vlans (port_id, vlan_id);
CREATE INDEX ix_device_port_vlans_vlan_id ON device_port_vlans (vlan_id);

CREATE TABLE cables (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_cables PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  a_resource varchar(32) DEFAULT 'device-ports' NOT NULL,
  a_id uuid NOT NULL,
  b_resource varchar(32) DEFAULT 'device-ports' NOT NULL,
  b_id uuid NOT NULL,
  type varchar(255),
  status varchar(255) DEFAULT 'connected' NOT NULL,
  label varchar(255),
  color varchar(255),
  length_m double precision,
  tenant_group_id uuid,
  description text,
  a_port_id uuid,
  a_termination_id uuid,
  a_feed_id uuid,
  b_port_id uuid,
  b_termination_id uuid,
  b_feed_id uuid,
  custom_fields jsonb,
  CONSTRAINT ck_a_resource CHECK (a_resource IN ('device-ports', 'circuit-terminations', 'power-feeds')),
  CONSTRAINT ck_b_resource CHECK (b_resource IN ('device-ports', 'circuit-terminations', 'power-feeds')),
  CONSTRAINT ck_length_m CHECK (length_m >= 0)
);
CREATE INDEX ix_cables_a_feed_id ON cables (a_feed_id);
CREATE INDEX ix_cables_a_port_id ON cables (a_port_id);
CREATE INDEX ix_cables_a_termination_id ON cables (a_termination_id);
CREATE INDEX ix_cables_b_feed_id ON cables (b_feed_id);
CREATE INDEX ix_cables_b_port_id ON cables (b_port_id);
CREATE INDEX ix_cables_b_termination_id ON cables (b_termination_id);
CREATE INDEX ix_cables_created_at_id ON cables (created_at, id);
CREATE INDEX ix_cables_custom_fields ON cables USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_cables_label_order ON cables (label COLLATE "C", id);
CREATE INDEX ix_cables_status_created_at_id ON cables (status COLLATE "C", created_at, id);
CREATE INDEX ix_cables_tenant_group_id ON cables (tenant_group_id);

CREATE TABLE cable_ends (
  end_id uuid CONSTRAINT pk_cable_ends PRIMARY KEY,
  cable_id uuid NOT NULL,
  other_id uuid NOT NULL
);
CREATE INDEX ix_cable_ends_cable_id ON cable_ends (cable_id);

CREATE TABLE cluster_types (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_cluster_types PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_cluster_types_created_at_id ON cluster_types (created_at, id);
CREATE INDEX ix_cluster_types_custom_fields ON cluster_types USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_cluster_types_name_order ON cluster_types (name COLLATE "C", id);
CREATE INDEX ix_cluster_types_slug_order ON cluster_types (slug COLLATE "C", id);

CREATE TABLE clusters (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_clusters PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  cluster_type_id uuid,
  site_id uuid,
  status varchar(255) DEFAULT 'active' NOT NULL,
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_clusters_cluster_type_id ON clusters (cluster_type_id);
CREATE INDEX ix_clusters_created_at_id ON clusters (created_at, id);
CREATE INDEX ix_clusters_custom_fields ON clusters USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_clusters_name_order ON clusters (name COLLATE "C", id);
CREATE INDEX ix_clusters_site_id ON clusters (site_id);
CREATE INDEX ix_clusters_status_created_at_id ON clusters (status COLLATE "C", created_at, id);

CREATE TABLE virtual_machines (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_virtual_machines PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  cluster_id uuid,
  status varchar(255),
  vcpus integer,
  memory_mb integer,
  disk_gb integer,
  platform_id uuid,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_disk_gb CHECK (disk_gb >= 0),
  CONSTRAINT ck_memory_mb CHECK (memory_mb >= 0),
  CONSTRAINT ck_vcpus CHECK (vcpus >= 0)
);
CREATE INDEX ix_virtual_machines_cluster_id ON virtual_machines (cluster_id);
CREATE INDEX ix_virtual_machines_created_at_id ON virtual_machines (created_at, id);
CREATE INDEX ix_virtual_machines_custom_fields ON virtual_machines USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_virtual_machines_name_order ON virtual_machines (name COLLATE "C", id);
CREATE INDEX ix_virtual_machines_platform_id ON virtual_machines (platform_id);
CREATE INDEX ix_virtual_machines_status_created_at_id ON virtual_machines (status COLLATE "C", created_at, id);

CREATE TABLE virtual_machine_interfaces (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_virtual_machine_interfaces PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  virtual_machine_id uuid NOT NULL,
  name varchar(255) NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  mac_address varchar(255),
  mtu integer,
  mode varchar(32),
  untagged_vlan_id uuid,
  vrf_id uuid,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_mode CHECK (mode IN ('access', 'tagged', 'tagged-all')),
  CONSTRAINT ck_mtu CHECK (mtu >= 0)
);
CREATE INDEX ix_virtual_machine_interfaces_created_at_id ON virtual_machine_interfaces (created_at, id);
CREATE INDEX ix_virtual_machine_interfaces_custom_fields ON virtual_machine_interfaces USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_virtual_machine_interfaces_mac_address_order ON virtual_machine_interfaces (mac_address COLLATE "C", id);
CREATE INDEX ix_virtual_machine_interfaces_name_order ON virtual_machine_interfaces (name COLLATE "C", id);
CREATE INDEX ix_virtual_machine_interfaces_untagged_vlan_id ON virtual_machine_interfaces (untagged_vlan_id);
CREATE UNIQUE INDEX ix_virtual_machine_interfaces_virtual_machine_id_name ON virtual_machine_interfaces (virtual_machine_id, name);
CREATE INDEX ix_virtual_machine_interfaces_vrf_id ON virtual_machine_interfaces (vrf_id);

CREATE TABLE virtual_machine_addresses (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_virtual_machine_addresses PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  virtual_machine_id uuid NOT NULL,
  ip_address_id uuid NOT NULL,
  interface_id uuid,
  custom_fields jsonb
);
CREATE INDEX ix_virtual_machine_addresses_created_at_id ON virtual_machine_addresses (created_at, id);
CREATE INDEX ix_virtual_machine_addresses_custom_fields ON virtual_machine_addresses USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_virtual_machine_addresses_interface_id ON virtual_machine_addresses (interface_id);
CREATE UNIQUE INDEX ix_virtual_machine_addresses_ip_address_id ON virtual_machine_addresses (ip_address_id);
CREATE INDEX ix_virtual_machine_addresses_virtual_machine_id ON virtual_machine_addresses (virtual_machine_id);

CREATE TABLE vrfs (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_vrfs PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  route_distinguisher varchar(255),
  description text,
  enforce_unique boolean DEFAULT false NOT NULL,
  custom_fields jsonb
);
CREATE INDEX ix_vrfs_created_at_id ON vrfs (created_at, id);
CREATE INDEX ix_vrfs_custom_fields ON vrfs USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_vrfs_name_order ON vrfs (name COLLATE "C", id);
CREATE INDEX ix_vrfs_route_distinguisher_order ON vrfs (route_distinguisher COLLATE "C", id);

CREATE TABLE prefixes (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_prefixes PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  prefix cidr NOT NULL,
  vrf_id uuid,
  site_id uuid,
  vlan_id uuid,
  tenant_group_id uuid,
  status varchar(255) DEFAULT 'active' NOT NULL,
  role varchar(255),
  is_pool boolean DEFAULT false NOT NULL,
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_prefixes_created_at_id ON prefixes (created_at, id);
CREATE INDEX ix_prefixes_custom_fields ON prefixes USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_prefixes_prefix_order ON prefixes (prefix, id);
CREATE INDEX ix_prefixes_prefix_within ON prefixes USING gist (prefix inet_ops);
CREATE INDEX ix_prefixes_site_id ON prefixes (site_id);
CREATE INDEX ix_prefixes_status_created_at_id ON prefixes (status COLLATE "C", created_at, id);
CREATE INDEX ix_prefixes_tenant_group_id ON prefixes (tenant_group_id);
CREATE INDEX ix_prefixes_vlan_id ON prefixes (vlan_id);
CREATE INDEX ix_prefixes_vrf_id ON prefixes (vrf_id);
CREATE UNIQUE INDEX uq_prefixes_space ON prefixes (coalesce(vrf_id, '00000000-0000-0000-0000-000000000000'), prefix);

CREATE TABLE ip_addresses (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_ip_addresses PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  address inet NOT NULL,
  vrf_id uuid,
  device_id uuid,
  interface_id uuid,
  status varchar(255) DEFAULT 'active' NOT NULL,
  role varchar(255),
  family integer NOT NULL,
  dns_name varchar(255),
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_family CHECK (family BETWEEN 4 AND 6),
  CONSTRAINT ck_ip_addresses_family CHECK (family = family(address))
);
CREATE INDEX ix_ip_addresses_address_order ON ip_addresses (set_masklen(address,
CASE family(address)
    WHEN 4 THEN 32
    ELSE 128
END), masklen(address), id);
CREATE INDEX ix_ip_addresses_address_within ON ip_addresses USING gist (address inet_ops);
CREATE INDEX ix_ip_addresses_created_at_id ON ip_addresses (created_at, id);
CREATE INDEX ix_ip_addresses_custom_fields ON ip_addresses USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_ip_addresses_device_id ON ip_addresses (device_id);
CREATE INDEX ix_ip_addresses_dns_name_order ON ip_addresses (dns_name COLLATE "C", id);
CREATE INDEX ix_ip_addresses_interface_id ON ip_addresses (interface_id);
CREATE INDEX ix_ip_addresses_status_created_at_id ON ip_addresses (status COLLATE "C", created_at, id);
CREATE INDEX ix_ip_addresses_vrf_id ON ip_addresses (vrf_id);

CREATE TABLE address_hosts (
  space uuid NOT NULL,
  host inet NOT NULL,
  times integer NOT NULL,
  alone integer NOT NULL,
  CONSTRAINT pk_address_hosts PRIMARY KEY (space, host)
);

CREATE TABLE address_blocks (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_address_blocks PRIMARY KEY,
  space uuid NOT NULL,
  block cidr NOT NULL,
  hosts integer NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX ix_address_blocks_space_block ON address_blocks (space, masklen(block), block);

CREATE TABLE vlan_groups (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_vlan_groups PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  site_id uuid,
  min_vid integer,
  max_vid integer,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_max_vid CHECK (max_vid BETWEEN 1 AND 4094),
  CONSTRAINT ck_min_vid CHECK (min_vid BETWEEN 1 AND 4094),
  CONSTRAINT ck_vlan_groups_range CHECK (max_vid >= min_vid)
);
CREATE INDEX ix_vlan_groups_created_at_id ON vlan_groups (created_at, id);
CREATE INDEX ix_vlan_groups_custom_fields ON vlan_groups USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_vlan_groups_name_order ON vlan_groups (name COLLATE "C", id);
CREATE INDEX ix_vlan_groups_site_id ON vlan_groups (site_id);

CREATE TABLE vlans (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_vlans PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  vid integer NOT NULL,
  name varchar(255) NOT NULL,
  vlan_group_id uuid,
  site_id uuid,
  tenant_group_id uuid,
  status varchar(255) DEFAULT 'active' NOT NULL,
  role varchar(255),
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_vid CHECK (vid BETWEEN 1 AND 4094)
);
CREATE INDEX ix_vlans_created_at_id ON vlans (created_at, id);
CREATE INDEX ix_vlans_custom_fields ON vlans USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_vlans_name_order ON vlans (name COLLATE "C", id);
CREATE INDEX ix_vlans_site_id ON vlans (site_id);
CREATE INDEX ix_vlans_status_created_at_id ON vlans (status COLLATE "C", created_at, id);
CREATE INDEX ix_vlans_tenant_group_id ON vlans (tenant_group_id);
CREATE UNIQUE INDEX ix_vlans_vlan_group_id_vid ON vlans (vlan_group_id, vid);

CREATE TABLE circuits (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_circuits PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  circuit_number varchar(255) NOT NULL,
  vendor_id uuid,
  contract_id uuid,
  type varchar(255),
  status varchar(255) DEFAULT 'active' NOT NULL,
  commit_rate_kbps integer,
  install_date date,
  termination_date date,
  tenant_group_id uuid,
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_circuit_termination_date CHECK (termination_date >= install_date),
  CONSTRAINT ck_commit_rate_kbps CHECK (commit_rate_kbps >= 0)
);
CREATE INDEX ix_circuits_circuit_number_order ON circuits (circuit_number COLLATE "C", id);
CREATE INDEX ix_circuits_contract_id ON circuits (contract_id);
CREATE INDEX ix_circuits_created_at_id ON circuits (created_at, id);
CREATE INDEX ix_circuits_custom_fields ON circuits USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_circuits_status_created_at_id ON circuits (status COLLATE "C", created_at, id);
CREATE INDEX ix_circuits_tenant_group_id ON circuits (tenant_group_id);
CREATE UNIQUE INDEX ix_circuits_vendor_id_circuit_number ON circuits (vendor_id, circuit_number);

CREATE TABLE circuit_terminations (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_circuit_terminations PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  circuit_id uuid NOT NULL,
  side varchar(32) NOT NULL,
  site_id uuid,
  provider_network varchar(255),
  port_speed_kbps integer,
  upstream_speed_kbps integer,
  cross_connect varchar(255),
  patch_panel varchar(255),
  description text,
  custom_fields jsonb,
  CONSTRAINT ck_circuit_terminations_place CHECK (site_id IS NULL OR provider_network IS NULL),
  CONSTRAINT ck_port_speed_kbps CHECK (port_speed_kbps >= 0),
  CONSTRAINT ck_side CHECK (side IN ('A', 'Z')),
  CONSTRAINT ck_upstream_speed_kbps CHECK (upstream_speed_kbps >= 0)
);
CREATE UNIQUE INDEX ix_circuit_terminations_circuit_id_side ON circuit_terminations (circuit_id, side);
CREATE INDEX ix_circuit_terminations_created_at_id ON circuit_terminations (created_at, id);
CREATE INDEX ix_circuit_terminations_cross_connect_order ON circuit_terminations (cross_connect COLLATE "C", id);
CREATE INDEX ix_circuit_terminations_custom_fields ON circuit_terminations USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_circuit_terminations_patch_panel_order ON circuit_terminations (patch_panel COLLATE "C", id);
CREATE INDEX ix_circuit_terminations_provider_network_order ON circuit_terminations (provider_network COLLATE "C", id);
CREATE INDEX ix_circuit_terminations_site_id ON circuit_terminations (site_id);

-- Procurement.

CREATE TABLE vendors (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_vendors PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  account_manager varchar(255),
  email varchar(255),
  phone varchar(255),
  website varchar(255),
  status varchar(255),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_vendors_account_manager_order ON vendors (account_manager COLLATE "C", id);
CREATE INDEX ix_vendors_created_at_id ON vendors (created_at, id);
CREATE INDEX ix_vendors_custom_fields ON vendors USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_vendors_name_order ON vendors (name COLLATE "C", id);
CREATE INDEX ix_vendors_slug_order ON vendors (slug COLLATE "C", id);
CREATE INDEX ix_vendors_status_created_at_id ON vendors (status COLLATE "C", created_at, id);

CREATE TABLE contracts (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_contracts PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  contract_number varchar(255),
  vendor_id uuid,
  type varchar(255),
  start_date date,
  end_date date,
  notice_date date,
  cost numeric,
  currency varchar(3) DEFAULT 'USD' NOT NULL,
  status varchar(255) DEFAULT 'active' NOT NULL,
  notes text,
  custom_fields jsonb,
  CONSTRAINT ck_contract_end_date CHECK (end_date >= start_date)
);
CREATE INDEX ix_contracts_contract_number_order ON contracts (contract_number COLLATE "C", id);
CREATE INDEX ix_contracts_created_at_id ON contracts (created_at, id);
CREATE INDEX ix_contracts_custom_fields ON contracts USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_contracts_ending ON contracts (end_date) WHERE status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed');
CREATE INDEX ix_contracts_name_order ON contracts (name COLLATE "C", id);
CREATE INDEX ix_contracts_notice ON contracts (notice_date) WHERE status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed');
CREATE INDEX ix_contracts_status_created_at_id ON contracts (status COLLATE "C", created_at, id);
CREATE INDEX ix_contracts_vendor_id ON contracts (vendor_id);

CREATE TABLE slas (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_slas PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  vendor_id uuid,
  target varchar(255),
  response_time varchar(255),
  uptime varchar(255),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_slas_created_at_id ON slas (created_at, id);
CREATE INDEX ix_slas_custom_fields ON slas USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_slas_name_order ON slas (name COLLATE "C", id);
CREATE INDEX ix_slas_vendor_id ON slas (vendor_id);

CREATE TABLE software_licences (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_software_licences PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  product varchar(255),
  licence_key text,
  seats integer,
  assigned_seats integer,
  vendor_id uuid,
  expiry_date date,
  cost numeric,
  status varchar(255),
  notes text,
  custom_fields jsonb,
  CONSTRAINT ck_assigned_seats CHECK (assigned_seats >= 0),
  CONSTRAINT ck_seats CHECK (seats >= 0)
);
CREATE INDEX ix_software_licences_created_at_id ON software_licences (created_at, id);
CREATE INDEX ix_software_licences_custom_fields ON software_licences USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_software_licences_expiring ON software_licences (expiry_date) WHERE status IS NULL OR status NOT IN ('retired', 'expired');
CREATE INDEX ix_software_licences_name_order ON software_licences (name COLLATE "C", id);
CREATE INDEX ix_software_licences_product_order ON software_licences (product COLLATE "C", id);
CREATE INDEX ix_software_licences_status_created_at_id ON software_licences (status COLLATE "C", created_at, id);
CREATE INDEX ix_software_licences_vendor_id ON software_licences (vendor_id);

CREATE TABLE renewals (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_renewals PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  vendor_id uuid,
  contract_id uuid,
  renewal_date date,
  amount numeric,
  status varchar(255),
  notes text,
  custom_fields jsonb
);
CREATE INDEX ix_renewals_contract_id ON renewals (contract_id);
CREATE INDEX ix_renewals_created_at_id ON renewals (created_at, id);
CREATE INDEX ix_renewals_custom_fields ON renewals USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_renewals_due ON renewals (renewal_date) WHERE status IS NULL OR status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed');
CREATE INDEX ix_renewals_name_order ON renewals (name COLLATE "C", id);
CREATE INDEX ix_renewals_status_created_at_id ON renewals (status COLLATE "C", created_at, id);
CREATE INDEX ix_renewals_vendor_id ON renewals (vendor_id);

CREATE TABLE asset_categories (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_asset_categories PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_asset_categories_created_at_id ON asset_categories (created_at, id);
CREATE INDEX ix_asset_categories_custom_fields ON asset_categories USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_asset_categories_name_order ON asset_categories (name COLLATE "C", id);
CREATE INDEX ix_asset_categories_slug_order ON asset_categories (slug COLLATE "C", id);

CREATE TABLE assets (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_assets PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  asset_tag varchar(255),
  serial_number varchar(255),
  status varchar(255) DEFAULT 'in_stock' NOT NULL,
  condition varchar(255),
  category_id uuid,
  manufacturer_id uuid,
  site_id uuid,
  location_id uuid,
  purchase_order_id uuid,
  purchased_at timestamptz(3),
  warranty_until timestamptz(3),
  purchase_price numeric(10,2),
  notes text,
  custom_fields jsonb
);
CREATE INDEX ix_assets_asset_tag_order ON assets (asset_tag COLLATE "C", id);
CREATE INDEX ix_assets_category_id ON assets (category_id);
CREATE INDEX ix_assets_created_at_id ON assets (created_at, id);
CREATE INDEX ix_assets_custom_fields ON assets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_assets_latest ON assets (purchased_at DESC NULLS LAST, created_at DESC, id) WHERE purchase_price IS NOT NULL;
CREATE INDEX ix_assets_location_id ON assets (location_id);
CREATE INDEX ix_assets_manufacturer_id ON assets (manufacturer_id);
CREATE INDEX ix_assets_name_order ON assets (name COLLATE "C", id);
CREATE INDEX ix_assets_purchase_order_id ON assets (purchase_order_id);
CREATE INDEX ix_assets_serial_number_order ON assets (serial_number COLLATE "C", id);
CREATE INDEX ix_assets_site_id ON assets (site_id);
CREATE INDEX ix_assets_status_created_at_id ON assets (status COLLATE "C", created_at, id);
CREATE INDEX ix_assets_warranty ON assets (warranty_until) WHERE status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed');

CREATE TABLE asset_assignments (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_asset_assignments PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  asset_id uuid NOT NULL,
  person_id uuid,
  assigned_at timestamptz(3) DEFAULT now() NOT NULL,
  returned_at timestamptz(3),
  person_name varchar(255),
  person_email varchar(255),
  custom_fields jsonb,
  CONSTRAINT ck_asset_assignments_open CHECK (person_id IS NOT NULL OR returned_at IS NOT NULL)
);
CREATE INDEX ix_asset_assignments_asset_id ON asset_assignments (asset_id);
CREATE INDEX ix_asset_assignments_created_at_id ON asset_assignments (created_at, id);
CREATE INDEX ix_asset_assignments_custom_fields ON asset_assignments USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_asset_assignments_open_person ON asset_assignments (person_id) WHERE returned_at IS NULL;
CREATE INDEX ix_asset_assignments_person_id ON asset_assignments (person_id);
CREATE UNIQUE INDEX uq_asset_assignments_open ON asset_assignments (asset_id) WHERE returned_at IS NULL;

CREATE TABLE purchase_orders (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_purchase_orders PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  order_number varchar(255) NOT NULL,
  vendor_id uuid,
  status varchar(32) DEFAULT 'ordered' NOT NULL,
  order_date date,
  expected_date date,
  received_date date,
  currency varchar(3) DEFAULT 'USD' NOT NULL,
  supplier_reference varchar(255),
  requested_by_id uuid,
  site_id uuid,
  location_id uuid,
  notes text,
  custom_fields jsonb,
  CONSTRAINT ck_status CHECK (status IN ('draft', 'ordered', 'partially_received', 'received', 'closed', 'cancelled'))
);
CREATE INDEX ix_purchase_orders_created_at_id ON purchase_orders (created_at, id);
CREATE INDEX ix_purchase_orders_custom_fields ON purchase_orders USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_purchase_orders_due ON purchase_orders (expected_date) WHERE status IN ('ordered', 'partially_received');
CREATE INDEX ix_purchase_orders_location_id ON purchase_orders (location_id);
CREATE UNIQUE INDEX ix_purchase_orders_order_number ON purchase_orders (order_number);
CREATE INDEX ix_purchase_orders_order_number_order ON purchase_orders (order_number COLLATE "C", id);
CREATE INDEX ix_purchase_orders_requested_by_id ON purchase_orders (requested_by_id);
CREATE INDEX ix_purchase_orders_site_id ON purchase_orders (site_id);
CREATE INDEX ix_purchase_orders_status_created_at_id ON purchase_orders (status COLLATE "C", created_at, id);
CREATE INDEX ix_purchase_orders_supplier_reference_order ON purchase_orders (supplier_reference COLLATE "C", id);
CREATE INDEX ix_purchase_orders_vendor_id ON purchase_orders (vendor_id);

CREATE TABLE purchase_order_items (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_purchase_order_items PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  purchase_order_id uuid NOT NULL,
  name varchar(255) NOT NULL,
  sku varchar(255),
  quantity integer NOT NULL,
  quantity_received integer DEFAULT 0 NOT NULL,
  unit_price numeric(10,2),
  category_id uuid,
  manufacturer_id uuid,
  warranty_months integer,
  notes text,
  sort_order integer,
  position integer NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_purchase_order_items_quantity_received CHECK (quantity_received <= quantity),
  CONSTRAINT ck_quantity CHECK (quantity >= 1),
  CONSTRAINT ck_quantity_received CHECK (quantity_received >= 0),
  CONSTRAINT ck_warranty_months CHECK (warranty_months BETWEEN 0 AND 1200)
);
CREATE INDEX ix_purchase_order_items_category_id ON purchase_order_items (category_id);
CREATE INDEX ix_purchase_order_items_created_at_id ON purchase_order_items (created_at, id);
CREATE INDEX ix_purchase_order_items_custom_fields ON purchase_order_items USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_purchase_order_items_manufacturer_id ON purchase_order_items (manufacturer_id);
CREATE INDEX ix_purchase_order_items_purchase_order_id ON purchase_order_items (purchase_order_id);

CREATE TABLE receipts (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_receipts PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  purchase_order_id uuid NOT NULL,
  received_at timestamptz(3) DEFAULT now() NOT NULL,
  received_by varchar(255),
  reversed_at timestamptz(3),
  reversed_by varchar(255),
  lines jsonb NOT NULL,
  custom_fields jsonb
);
CREATE INDEX ix_receipts_created_at_id ON receipts (created_at, id);
CREATE INDEX ix_receipts_custom_fields ON receipts USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_receipts_purchase_order_id ON receipts (purchase_order_id);

-- People.

CREATE TABLE people (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_people PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  full_name varchar(255) NOT NULL,
  email varchar(255),
  phone varchar(255),
  job_title varchar(255),
  department varchar(255),
  employee_id varchar(255),
  site_id uuid,
  profile_id uuid,
  status varchar(255) DEFAULT 'active' NOT NULL,
  start_date date,
  notes text,
  custom_fields jsonb
);
CREATE INDEX ix_people_created_at_id ON people (created_at, id);
CREATE INDEX ix_people_custom_fields ON people USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_people_email_order ON people (email COLLATE "C", id);
CREATE INDEX ix_people_full_name_order ON people (full_name COLLATE "C", id);
CREATE UNIQUE INDEX ix_people_profile_id ON people (profile_id);
CREATE INDEX ix_people_site_id ON people (site_id);
CREATE INDEX ix_people_status_created_at_id ON people (status COLLATE "C", created_at, id);
CREATE UNIQUE INDEX uq_people_email ON people (lower(email COLLATE "C"));

CREATE TABLE tenant_groups (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_tenant_groups PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  slug varchar(255),
  description text,
  custom_fields jsonb
);
CREATE INDEX ix_tenant_groups_created_at_id ON tenant_groups (created_at, id);
CREATE INDEX ix_tenant_groups_custom_fields ON tenant_groups USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_tenant_groups_name_order ON tenant_groups (name COLLATE "C", id);
CREATE INDEX ix_tenant_groups_slug_order ON tenant_groups (slug COLLATE "C", id);

-- What joins the families: what a record is about, who is responsible for what, and what covers what.

CREATE TABLE incident_targets (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_incident_targets PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  resource varchar(32) NOT NULL,
  record_id uuid NOT NULL,
  site_id uuid,
  location_id uuid,
  rack_id uuid,
  device_id uuid,
  cluster_id uuid,
  virtual_machine_id uuid,
  ip_address_id uuid,
  asset_id uuid,
  software_licence_id uuid,
  incident_id uuid NOT NULL,
  custom_fields jsonb,
  region_id uuid,
  circuit_id uuid,
  power_feed_id uuid,
  CONSTRAINT ck_resource CHECK (resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds'))
);
CREATE INDEX ix_incident_targets_asset_id ON incident_targets (asset_id);
CREATE INDEX ix_incident_targets_circuit_id ON incident_targets (circuit_id);
CREATE INDEX ix_incident_targets_cluster_id ON incident_targets (cluster_id);
CREATE INDEX ix_incident_targets_created_at_id ON incident_targets (created_at, id);
CREATE INDEX ix_incident_targets_custom_fields ON incident_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_incident_targets_device_id ON incident_targets (device_id);
CREATE INDEX ix_incident_targets_ip_address_id ON incident_targets (ip_address_id);
CREATE INDEX ix_incident_targets_location_id ON incident_targets (location_id);
CREATE INDEX ix_incident_targets_power_feed_id ON incident_targets (power_feed_id);
CREATE INDEX ix_incident_targets_rack_id ON incident_targets (rack_id);
CREATE INDEX ix_incident_targets_record_id ON incident_targets (record_id);
CREATE INDEX ix_incident_targets_region_id ON incident_targets (region_id);
CREATE INDEX ix_incident_targets_site_id ON incident_targets (site_id);
CREATE INDEX ix_incident_targets_software_licence_id ON incident_targets (software_licence_id);
CREATE INDEX ix_incident_targets_virtual_machine_id ON incident_targets (virtual_machine_id);
CREATE UNIQUE INDEX uq_incident_targets_record ON incident_targets (incident_id, resource, record_id);

CREATE TABLE maintenance_window_targets (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_maintenance_window_targets PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  resource varchar(32) NOT NULL,
  record_id uuid NOT NULL,
  site_id uuid,
  location_id uuid,
  rack_id uuid,
  device_id uuid,
  cluster_id uuid,
  virtual_machine_id uuid,
  ip_address_id uuid,
  asset_id uuid,
  software_licence_id uuid,
  maintenance_window_id uuid NOT NULL,
  custom_fields jsonb,
  region_id uuid,
  circuit_id uuid,
  power_feed_id uuid,
  CONSTRAINT ck_resource CHECK (resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds'))
);
CREATE INDEX ix_maintenance_window_targets_asset_id ON maintenance_window_targets (asset_id);
CREATE INDEX ix_maintenance_window_targets_circuit_id ON maintenance_window_targets (circuit_id);
CREATE INDEX ix_maintenance_window_targets_cluster_id ON maintenance_window_targets (cluster_id);
CREATE INDEX ix_maintenance_window_targets_created_at_id ON maintenance_window_targets (created_at, id);
CREATE INDEX ix_maintenance_window_targets_custom_fields ON maintenance_window_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_maintenance_window_targets_device_id ON maintenance_window_targets (device_id);
CREATE INDEX ix_maintenance_window_targets_ip_address_id ON maintenance_window_targets (ip_address_id);
CREATE INDEX ix_maintenance_window_targets_location_id ON maintenance_window_targets (location_id);
CREATE INDEX ix_maintenance_window_targets_power_feed_id ON maintenance_window_targets (power_feed_id);
CREATE INDEX ix_maintenance_window_targets_rack_id ON maintenance_window_targets (rack_id);
CREATE INDEX ix_maintenance_window_targets_record_id ON maintenance_window_targets (record_id);
CREATE INDEX ix_maintenance_window_targets_region_id ON maintenance_window_targets (region_id);
CREATE INDEX ix_maintenance_window_targets_site_id ON maintenance_window_targets (site_id);
CREATE INDEX ix_maintenance_window_targets_software_licence_id ON maintenance_window_targets (software_licence_id);
CREATE INDEX ix_maintenance_window_targets_virtual_machine_id ON maintenance_window_targets (virtual_machine_id);
CREATE UNIQUE INDEX uq_maintenance_window_targets_record ON maintenance_window_targets (maintenance_window_id, resource, record_id);

CREATE TABLE change_request_targets (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_change_request_targets PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  resource varchar(32) NOT NULL,
  record_id uuid NOT NULL,
  site_id uuid,
  location_id uuid,
  rack_id uuid,
  device_id uuid,
  cluster_id uuid,
  virtual_machine_id uuid,
  ip_address_id uuid,
  asset_id uuid,
  software_licence_id uuid,
  change_request_id uuid NOT NULL,
  custom_fields jsonb,
  region_id uuid,
  circuit_id uuid,
  power_feed_id uuid,
  CONSTRAINT ck_resource CHECK (resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds'))
);
CREATE INDEX ix_change_request_targets_asset_id ON change_request_targets (asset_id);
CREATE INDEX ix_change_request_targets_circuit_id ON change_request_targets (circuit_id);
CREATE INDEX ix_change_request_targets_cluster_id ON change_request_targets (cluster_id);
CREATE INDEX ix_change_request_targets_created_at_id ON change_request_targets (created_at, id);
CREATE INDEX ix_change_request_targets_custom_fields ON change_request_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_change_request_targets_device_id ON change_request_targets (device_id);
CREATE INDEX ix_change_request_targets_ip_address_id ON change_request_targets (ip_address_id);
CREATE INDEX ix_change_request_targets_location_id ON change_request_targets (location_id);
CREATE INDEX ix_change_request_targets_power_feed_id ON change_request_targets (power_feed_id);
CREATE INDEX ix_change_request_targets_rack_id ON change_request_targets (rack_id);
CREATE INDEX ix_change_request_targets_record_id ON change_request_targets (record_id);
CREATE INDEX ix_change_request_targets_region_id ON change_request_targets (region_id);
CREATE INDEX ix_change_request_targets_site_id ON change_request_targets (site_id);
CREATE INDEX ix_change_request_targets_software_licence_id ON change_request_targets (software_licence_id);
CREATE INDEX ix_change_request_targets_virtual_machine_id ON change_request_targets (virtual_machine_id);
CREATE UNIQUE INDEX uq_change_request_targets_record ON change_request_targets (change_request_id, resource, record_id);

CREATE TABLE known_issue_targets (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_known_issue_targets PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  resource varchar(32) NOT NULL,
  record_id uuid NOT NULL,
  site_id uuid,
  location_id uuid,
  rack_id uuid,
  device_id uuid,
  cluster_id uuid,
  virtual_machine_id uuid,
  ip_address_id uuid,
  asset_id uuid,
  software_licence_id uuid,
  region_id uuid,
  circuit_id uuid,
  power_feed_id uuid,
  device_type_id uuid,
  device_role_id uuid,
  platform_id uuid,
  manufacturer_id uuid,
  known_issue_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_resource CHECK (resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds', 'device-types', 'device-roles', 'platforms', 'manufacturers'))
);
CREATE INDEX ix_known_issue_targets_asset_id ON known_issue_targets (asset_id);
CREATE INDEX ix_known_issue_targets_circuit_id ON known_issue_targets (circuit_id);
CREATE INDEX ix_known_issue_targets_cluster_id ON known_issue_targets (cluster_id);
CREATE INDEX ix_known_issue_targets_created_at_id ON known_issue_targets (created_at, id);
CREATE INDEX ix_known_issue_targets_custom_fields ON known_issue_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_known_issue_targets_device_id ON known_issue_targets (device_id);
CREATE INDEX ix_known_issue_targets_device_role_id ON known_issue_targets (device_role_id);
CREATE INDEX ix_known_issue_targets_device_type_id ON known_issue_targets (device_type_id);
CREATE INDEX ix_known_issue_targets_ip_address_id ON known_issue_targets (ip_address_id);
CREATE INDEX ix_known_issue_targets_location_id ON known_issue_targets (location_id);
CREATE INDEX ix_known_issue_targets_manufacturer_id ON known_issue_targets (manufacturer_id);
CREATE INDEX ix_known_issue_targets_platform_id ON known_issue_targets (platform_id);
CREATE INDEX ix_known_issue_targets_power_feed_id ON known_issue_targets (power_feed_id);
CREATE INDEX ix_known_issue_targets_rack_id ON known_issue_targets (rack_id);
CREATE INDEX ix_known_issue_targets_record_id ON known_issue_targets (record_id);
CREATE INDEX ix_known_issue_targets_region_id ON known_issue_targets (region_id);
CREATE INDEX ix_known_issue_targets_site_id ON known_issue_targets (site_id);
CREATE INDEX ix_known_issue_targets_software_licence_id ON known_issue_targets (software_licence_id);
CREATE INDEX ix_known_issue_targets_virtual_machine_id ON known_issue_targets (virtual_machine_id);
CREATE UNIQUE INDEX uq_known_issue_targets_record ON known_issue_targets (known_issue_id, resource, record_id);

CREATE TABLE runbook_targets (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_runbook_targets PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  resource varchar(32) NOT NULL,
  record_id uuid NOT NULL,
  site_id uuid,
  location_id uuid,
  rack_id uuid,
  device_id uuid,
  cluster_id uuid,
  virtual_machine_id uuid,
  ip_address_id uuid,
  asset_id uuid,
  software_licence_id uuid,
  region_id uuid,
  circuit_id uuid,
  power_feed_id uuid,
  device_type_id uuid,
  device_role_id uuid,
  platform_id uuid,
  manufacturer_id uuid,
  runbook_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_resource CHECK (resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences', 'regions', 'circuits', 'power-feeds', 'device-types', 'device-roles', 'platforms', 'manufacturers'))
);
CREATE INDEX ix_runbook_targets_asset_id ON runbook_targets (asset_id);
CREATE INDEX ix_runbook_targets_circuit_id ON runbook_targets (circuit_id);
CREATE INDEX ix_runbook_targets_cluster_id ON runbook_targets (cluster_id);
CREATE INDEX ix_runbook_targets_created_at_id ON runbook_targets (created_at, id);
CREATE INDEX ix_runbook_targets_custom_fields ON runbook_targets USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_runbook_targets_device_id ON runbook_targets (device_id);
CREATE INDEX ix_runbook_targets_device_role_id ON runbook_targets (device_role_id);
CREATE INDEX ix_runbook_targets_device_type_id ON runbook_targets (device_type_id);
CREATE INDEX ix_runbook_targets_ip_address_id ON runbook_targets (ip_address_id);
CREATE INDEX ix_runbook_targets_location_id ON runbook_targets (location_id);
CREATE INDEX ix_runbook_targets_manufacturer_id ON runbook_targets (manufacturer_id);
CREATE INDEX ix_runbook_targets_platform_id ON runbook_targets (platform_id);
CREATE INDEX ix_runbook_targets_power_feed_id ON runbook_targets (power_feed_id);
CREATE INDEX ix_runbook_targets_rack_id ON runbook_targets (rack_id);
CREATE INDEX ix_runbook_targets_record_id ON runbook_targets (record_id);
CREATE INDEX ix_runbook_targets_region_id ON runbook_targets (region_id);
CREATE INDEX ix_runbook_targets_site_id ON runbook_targets (site_id);
CREATE INDEX ix_runbook_targets_software_licence_id ON runbook_targets (software_licence_id);
CREATE INDEX ix_runbook_targets_virtual_machine_id ON runbook_targets (virtual_machine_id);
CREATE UNIQUE INDEX uq_runbook_targets_record ON runbook_targets (runbook_id, resource, record_id);

CREATE TABLE region_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_region_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  region_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_region_responsibilities_created_at_id ON region_responsibilities (created_at, id);
CREATE INDEX ix_region_responsibilities_custom_fields ON region_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_region_responsibilities_person_id ON region_responsibilities (person_id);
CREATE INDEX ix_region_responsibilities_region_id ON region_responsibilities (region_id);
CREATE UNIQUE INDEX uq_region_responsibilities_person ON region_responsibilities (region_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_region_responsibilities_roster ON region_responsibilities (region_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE site_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_site_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  site_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_site_responsibilities_created_at_id ON site_responsibilities (created_at, id);
CREATE INDEX ix_site_responsibilities_custom_fields ON site_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_site_responsibilities_person_id ON site_responsibilities (person_id);
CREATE INDEX ix_site_responsibilities_site_id ON site_responsibilities (site_id);
CREATE UNIQUE INDEX uq_site_responsibilities_person ON site_responsibilities (site_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_site_responsibilities_roster ON site_responsibilities (site_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE location_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_location_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  location_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_location_responsibilities_created_at_id ON location_responsibilities (created_at, id);
CREATE INDEX ix_location_responsibilities_custom_fields ON location_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_location_responsibilities_location_id ON location_responsibilities (location_id);
CREATE INDEX ix_location_responsibilities_person_id ON location_responsibilities (person_id);
CREATE UNIQUE INDEX uq_location_responsibilities_person ON location_responsibilities (location_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_location_responsibilities_roster ON location_responsibilities (location_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE rack_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_rack_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  rack_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_rack_responsibilities_created_at_id ON rack_responsibilities (created_at, id);
CREATE INDEX ix_rack_responsibilities_custom_fields ON rack_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_rack_responsibilities_person_id ON rack_responsibilities (person_id);
CREATE INDEX ix_rack_responsibilities_rack_id ON rack_responsibilities (rack_id);
CREATE UNIQUE INDEX uq_rack_responsibilities_person ON rack_responsibilities (rack_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_rack_responsibilities_roster ON rack_responsibilities (rack_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE device_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_device_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  device_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_device_responsibilities_created_at_id ON device_responsibilities (created_at, id);
CREATE INDEX ix_device_responsibilities_custom_fields ON device_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_device_responsibilities_device_id ON device_responsibilities (device_id);
CREATE INDEX ix_device_responsibilities_person_id ON device_responsibilities (person_id);
CREATE UNIQUE INDEX uq_device_responsibilities_person ON device_responsibilities (device_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_device_responsibilities_roster ON device_responsibilities (device_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE cluster_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_cluster_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  cluster_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_cluster_responsibilities_cluster_id ON cluster_responsibilities (cluster_id);
CREATE INDEX ix_cluster_responsibilities_created_at_id ON cluster_responsibilities (created_at, id);
CREATE INDEX ix_cluster_responsibilities_custom_fields ON cluster_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_cluster_responsibilities_person_id ON cluster_responsibilities (person_id);
CREATE UNIQUE INDEX uq_cluster_responsibilities_person ON cluster_responsibilities (cluster_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_cluster_responsibilities_roster ON cluster_responsibilities (cluster_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE virtual_machine_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_virtual_machine_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  virtual_machine_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_virtual_machine_responsibilities_created_at_id ON virtual_machine_responsibilities (created_at, id);
CREATE INDEX ix_virtual_machine_responsibilities_custom_fields ON virtual_machine_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_virtual_machine_responsibilities_person_id ON virtual_machine_responsibilities (person_id);
CREATE INDEX ix_virtual_machine_responsibilities_virtual_machine_id ON virtual_machine_responsibilities (virtual_machine_id);
CREATE UNIQUE INDEX uq_virtual_machine_responsibilities_person ON virtual_machine_responsibilities (virtual_machine_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_virtual_machine_responsibilities_roster ON virtual_machine_responsibilities (virtual_machine_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE circuit_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_circuit_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  circuit_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_circuit_responsibilities_circuit_id ON circuit_responsibilities (circuit_id);
CREATE INDEX ix_circuit_responsibilities_created_at_id ON circuit_responsibilities (created_at, id);
CREATE INDEX ix_circuit_responsibilities_custom_fields ON circuit_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_circuit_responsibilities_person_id ON circuit_responsibilities (person_id);
CREATE UNIQUE INDEX uq_circuit_responsibilities_person ON circuit_responsibilities (circuit_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_circuit_responsibilities_roster ON circuit_responsibilities (circuit_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE asset_responsibilities (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_asset_responsibilities PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  kind varchar(255) DEFAULT 'operates' NOT NULL,
  roster varchar(255),
  person_id uuid,
  description text,
  asset_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_responsible_person CHECK (roster IS NULL OR person_id IS NULL),
  CONSTRAINT ck_responsible_roster CHECK (roster IS NOT NULL OR person_id IS NOT NULL)
);
CREATE INDEX ix_asset_responsibilities_asset_id ON asset_responsibilities (asset_id);
CREATE INDEX ix_asset_responsibilities_created_at_id ON asset_responsibilities (created_at, id);
CREATE INDEX ix_asset_responsibilities_custom_fields ON asset_responsibilities USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_asset_responsibilities_person_id ON asset_responsibilities (person_id);
CREATE UNIQUE INDEX uq_asset_responsibilities_person ON asset_responsibilities (asset_id, person_id, kind) WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX uq_asset_responsibilities_roster ON asset_responsibilities (asset_id, kind, roster) WHERE roster IS NOT NULL;

CREATE TABLE contract_coverage (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_contract_coverage PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  resource varchar(32) NOT NULL,
  record_id uuid NOT NULL,
  site_id uuid,
  rack_id uuid,
  device_id uuid,
  cluster_id uuid,
  virtual_machine_id uuid,
  circuit_id uuid,
  asset_id uuid,
  software_licence_id uuid,
  start_date date,
  end_date date,
  contract_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_contract_coverage_end_date CHECK (end_date >= start_date),
  CONSTRAINT ck_resource CHECK (resource IN ('sites', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets', 'software-licences')),
  CONSTRAINT ex_contract_coverage_days EXCLUDE USING gist (record_id WITH =, contract_id WITH =, resource WITH =, daterange(start_date, end_date, '[]') WITH &&)
);
CREATE INDEX ix_contract_coverage_asset_id ON contract_coverage (asset_id);
CREATE INDEX ix_contract_coverage_circuit_id ON contract_coverage (circuit_id);
CREATE INDEX ix_contract_coverage_cluster_id ON contract_coverage (cluster_id);
CREATE INDEX ix_contract_coverage_contract_id ON contract_coverage (contract_id);
CREATE INDEX ix_contract_coverage_created_at_id ON contract_coverage (created_at, id);
CREATE INDEX ix_contract_coverage_custom_fields ON contract_coverage USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_contract_coverage_device_id ON contract_coverage (device_id);
CREATE INDEX ix_contract_coverage_rack_id ON contract_coverage (rack_id);
CREATE INDEX ix_contract_coverage_site_id ON contract_coverage (site_id);
CREATE INDEX ix_contract_coverage_software_licence_id ON contract_coverage (software_licence_id);
CREATE INDEX ix_contract_coverage_virtual_machine_id ON contract_coverage (virtual_machine_id);

CREATE TABLE sla_coverage (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_sla_coverage PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  resource varchar(32) NOT NULL,
  record_id uuid NOT NULL,
  site_id uuid,
  rack_id uuid,
  device_id uuid,
  cluster_id uuid,
  virtual_machine_id uuid,
  circuit_id uuid,
  asset_id uuid,
  software_licence_id uuid,
  start_date date,
  end_date date,
  sla_id uuid NOT NULL,
  custom_fields jsonb,
  CONSTRAINT ck_resource CHECK (resource IN ('sites', 'racks', 'devices', 'clusters', 'virtual-machines', 'circuits', 'assets', 'software-licences')),
  CONSTRAINT ck_sla_coverage_end_date CHECK (end_date >= start_date),
  CONSTRAINT ex_sla_coverage_days EXCLUDE USING gist (record_id WITH =, sla_id WITH =, resource WITH =, daterange(start_date, end_date, '[]') WITH &&)
);
CREATE INDEX ix_sla_coverage_asset_id ON sla_coverage (asset_id);
CREATE INDEX ix_sla_coverage_circuit_id ON sla_coverage (circuit_id);
CREATE INDEX ix_sla_coverage_cluster_id ON sla_coverage (cluster_id);
CREATE INDEX ix_sla_coverage_created_at_id ON sla_coverage (created_at, id);
CREATE INDEX ix_sla_coverage_custom_fields ON sla_coverage USING gin (custom_fields) WITH (gin_pending_list_limit = 256) WHERE custom_fields IS NOT NULL;
CREATE INDEX ix_sla_coverage_device_id ON sla_coverage (device_id);
CREATE INDEX ix_sla_coverage_rack_id ON sla_coverage (rack_id);
CREATE INDEX ix_sla_coverage_site_id ON sla_coverage (site_id);
CREATE INDEX ix_sla_coverage_sla_id ON sla_coverage (sla_id);
CREATE INDEX ix_sla_coverage_software_licence_id ON sla_coverage (software_licence_id);
CREATE INDEX ix_sla_coverage_virtual_machine_id ON sla_coverage (virtual_machine_id);

-- Callers: profiles, and how they sign in.

CREATE TABLE profiles (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_profiles PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  email varchar(255) NOT NULL,
  role varchar(32) DEFAULT 'viewer' NOT NULL,
  areas text[] DEFAULT '{operations,network,procurement,people}' NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  password_hash text,
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin'))
);
CREATE INDEX ix_profiles_created_at_id ON profiles (created_at, id);
CREATE INDEX ix_profiles_email_order ON profiles (email COLLATE "C", id);
CREATE UNIQUE INDEX uq_profiles_email ON profiles (lower(email COLLATE "C"));

CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  profile_id uuid NOT NULL,
  email_verified boolean NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT pk_identities PRIMARY KEY (issuer, subject)
);
CREATE INDEX ix_identities_profile_id ON identities (profile_id);

CREATE TABLE sessions (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_sessions PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  profile_id uuid NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  remote_address varchar(255),
  user_agent varchar(255),
  token_hash bytea NOT NULL
);
CREATE INDEX ix_sessions_created_at_id ON sessions (created_at, id);
CREATE INDEX ix_sessions_profile_id ON sessions (profile_id);
CREATE UNIQUE INDEX ix_sessions_token_hash ON sessions (token_hash);

CREATE TABLE tokens (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_tokens PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  profile_id uuid NOT NULL,
  prefix varchar(255) NOT NULL,
  role varchar(32) NOT NULL,
  areas text[] NOT NULL,
  read_only boolean DEFAULT false NOT NULL,
  allowed_networks cidr[] DEFAULT '{}' NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  last_used_address varchar(255),
  secret_hash bytea NOT NULL,
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin'))
);
CREATE INDEX ix_tokens_created_at_id ON tokens (created_at, id);
CREATE INDEX ix_tokens_name_order ON tokens (name COLLATE "C", id);
CREATE UNIQUE INDEX ix_tokens_prefix ON tokens (prefix);
CREATE INDEX ix_tokens_profile_id ON tokens (profile_id);

CREATE TABLE login_throttles (
  key text CONSTRAINT pk_login_throttles PRIMARY KEY,
  attempts integer NOT NULL,
  window_ends_at timestamptz(3) NOT NULL,
  in_flight timestamptz[] DEFAULT '{}' NOT NULL
);

CREATE TABLE used_sign_ins (
  state_hash text CONSTRAINT pk_used_sign_ins PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
);

-- Calendars and webhooks.

CREATE TABLE calendar_feeds (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_calendar_feeds PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  profile_id uuid NOT NULL,
  kind varchar(32) NOT NULL,
  roster varchar(255),
  person_id uuid,
  secret_hash bytea NOT NULL,
  CONSTRAINT ck_kind CHECK (kind IN ('on-call', 'maintenance', 'changes', 'expirations')),
  CONSTRAINT ck_narrowing CHECK (kind = 'on-call' OR (roster IS NULL AND person_id IS NULL))
);
CREATE INDEX ix_calendar_feeds_created_at_id ON calendar_feeds (created_at, id);
CREATE INDEX ix_calendar_feeds_name_order ON calendar_feeds (name COLLATE "C", id);
CREATE INDEX ix_calendar_feeds_profile_id ON calendar_feeds (profile_id);
CREATE UNIQUE INDEX ix_calendar_feeds_secret_hash ON calendar_feeds (secret_hash);

CREATE TABLE calendar_events (
  kind varchar(32) NOT NULL,
  uid text NOT NULL,
  roster text NOT NULL,
  person_id uuid NOT NULL,
  hours tstzrange NOT NULL,
  content jsonb NOT NULL,
  sequence integer DEFAULT 0 NOT NULL,
  removed boolean DEFAULT false NOT NULL,
  changed_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT pk_calendar_events PRIMARY KEY (kind, uid, roster, person_id)
);

CREATE TABLE webhooks (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_webhooks PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  name varchar(255) NOT NULL,
  url text NOT NULL,
  resources text[] DEFAULT '{}' NOT NULL,
  actions text[] DEFAULT '{}' NOT NULL,
  fields text[] DEFAULT '{}' NOT NULL,
  conditions jsonb,
  format varchar(32) DEFAULT 'standard' NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  description text,
  deactivated_reason varchar(255),
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  CONSTRAINT ck_format CHECK (format IN ('standard', 'text'))
);
CREATE INDEX ix_webhooks_created_at_id ON webhooks (created_at, id);
CREATE INDEX ix_webhooks_name_order ON webhooks (name COLLATE "C", id);

CREATE TABLE webhook_states (
  webhook_id uuid CONSTRAINT pk_webhook_states PRIMARY KEY,
  since_id uuid NOT NULL,
  since_at timestamptz(3) NOT NULL,
  lease_owner uuid,
  lease_until timestamptz(3),
  last_success_at timestamptz(3),
  failing_since timestamptz(3)
);

CREATE TABLE webhook_deliveries (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_webhook_deliveries PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  webhook_id uuid NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  event_id text NOT NULL,
  type text NOT NULL,
  resource text,
  record_id uuid,
  entry_id uuid,
  entry_at timestamptz(3),
  is_replay boolean DEFAULT false NOT NULL,
  status text DEFAULT 'pending' NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  response_status integer,
  error text,
  duration_ms integer,
  next_attempt_at timestamptz(3) DEFAULT now(),
  delivered_at timestamptz(3)
);
CREATE INDEX ix_webhook_deliveries_created_at ON webhook_deliveries (created_at);
CREATE INDEX ix_webhook_deliveries_next_attempt_at ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX ix_webhook_deliveries_webhook_id_created_at_id ON webhook_deliveries (webhook_id, created_at, id);
CREATE UNIQUE INDEX ix_webhook_deliveries_webhook_id_entry_id ON webhook_deliveries (webhook_id, entry_id) WHERE NOT is_replay;
CREATE INDEX ix_webhook_deliveries_webhook_id_position ON webhook_deliveries (webhook_id, position) WHERE status = 'pending';
CREATE INDEX ix_webhook_deliveries_webhook_id_record_id_position ON webhook_deliveries (webhook_id, record_id, position) WHERE status = 'pending';

-- Custom fields.

CREATE TABLE custom_fields (
  id uuid DEFAULT gen_random_uuid() CONSTRAINT pk_custom_fields PRIMARY KEY,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  key varchar(63) NOT NULL,
  label varchar(255),
  description text,
  resources text[] NOT NULL,
  type varchar(32) NOT NULL,
  choices text[],
  target varchar(255),
  required boolean DEFAULT false NOT NULL,
  is_unique boolean DEFAULT false NOT NULL,
  default_value jsonb,
  minimum jsonb,
  maximum jsonb,
  pattern varchar(255),
  searched boolean DEFAULT false NOT NULL,
  position integer DEFAULT 0 NOT NULL,
  status varchar(32) DEFAULT 'ready' NOT NULL,
  stored_as text NOT NULL,
  pattern_sql text,
  CONSTRAINT ck_status CHECK (status IN ('building', 'ready')),
  CONSTRAINT ck_type CHECK (type IN ('text', 'integer', 'decimal', 'boolean', 'date', 'dateTime', 'url', 'choice', 'tags', 'reference'))
);
CREATE INDEX ix_custom_fields_created_at_id ON custom_fields (created_at, id);
CREATE INDEX ix_custom_fields_key_order ON custom_fields (key COLLATE "C", id);
CREATE UNIQUE INDEX ix_custom_fields_stored_as ON custom_fields (stored_as);

CREATE TABLE custom_field_names (
  stored_as text CONSTRAINT pk_custom_field_names PRIMARY KEY,
  key text NOT NULL,
  dropped_from text[] DEFAULT '{}' NOT NULL
);
CREATE INDEX ix_custom_field_names_key ON custom_field_names (key);

CREATE TABLE custom_field_values (
  field_id uuid NOT NULL,
  resource text NOT NULL,
  digest bytea NOT NULL,
  record_id uuid NOT NULL,
  CONSTRAINT pk_custom_field_values PRIMARY KEY (field_id, resource, digest)
);

-- The change log, by month.

CREATE TABLE change_log (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  updated_at timestamptz(3) DEFAULT now() NOT NULL,
  action varchar(32) NOT NULL,
  resource varchar(255) NOT NULL,
  area varchar(255),
  record_id uuid NOT NULL,
  record_name varchar(255),
  actor_id uuid,
  actor varchar(255) NOT NULL,
  request_id varchar(255),
  old_values jsonb,
  new_values jsonb,
  transaction_id bigint NOT NULL,
  token_id uuid,
  token_name varchar(255),
  CONSTRAINT pk_change_log PRIMARY KEY (id, created_at),
  CONSTRAINT ck_action CHECK (action IN ('create', 'update', 'delete'))
) PARTITION BY RANGE (created_at);
CREATE INDEX ix_change_log_actor_id_created_at ON change_log (actor_id, created_at);
CREATE INDEX ix_change_log_created_at_id ON change_log (created_at, id);
CREATE INDEX ix_change_log_record_id_id ON change_log (record_id, id);
CREATE INDEX ix_change_log_request_id ON change_log (request_id COLLATE "C");
CREATE INDEX ix_change_log_token_id_created_at ON change_log (token_id, created_at) WHERE token_id IS NOT NULL;
CREATE INDEX ix_change_log_transaction_id_id ON change_log (transaction_id, id);

CREATE TABLE change_log_default PARTITION OF change_log DEFAULT;

CREATE TABLE change_log_numbering (
  single boolean DEFAULT true CONSTRAINT pk_change_log_numbering PRIMARY KEY,
  difference bigint NOT NULL,
  CONSTRAINT ck_single CHECK (single)
);
INSERT INTO change_log_numbering (difference) VALUES (0);

CREATE TABLE change_log_pruned (
  single boolean DEFAULT true CONSTRAINT pk_change_log_pruned PRIMARY KEY,
  until timestamptz(3) NOT NULL,
  CONSTRAINT ck_single CHECK (single)
);

-- Totals that lists show, as differences that are folded from time to time.

CREATE TABLE record_counts (
  table_name text COLLATE "C" NOT NULL,
  delta bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX ix_record_counts_table_name ON record_counts (table_name);

CREATE TABLE value_counts (
  table_name text COLLATE "C" NOT NULL,
  column_name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  delta bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX ix_value_counts_value ON value_counts (table_name, column_name, value);

-- The service itself.

CREATE TABLE settings (
  name text CONSTRAINT pk_settings PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE idempotency_keys (
  profile_id uuid NOT NULL,
  route text NOT NULL,
  key varchar(255) NOT NULL,
  body_digest text NOT NULL,
  answer text NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT pk_idempotency_keys PRIMARY KEY (profile_id, route, key)
);
CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);

CREATE TABLE catalogue_entries (
  kind text NOT NULL,
  slug text NOT NULL,
  CONSTRAINT pk_catalogue_entries PRIMARY KEY (kind, slug)
);

-- References. Each has an index above.

ALTER TABLE on_call_schedules
  ADD CONSTRAINT fk_on_call_schedules_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE SET NULL;

ALTER TABLE runbooks
  ADD CONSTRAINT fk_runbooks_owner_id FOREIGN KEY (owner_id) REFERENCES people (id) ON DELETE SET NULL;

ALTER TABLE change_requests
  ADD CONSTRAINT fk_change_requests_requested_by_id FOREIGN KEY (requested_by_id) REFERENCES people (id) ON DELETE SET NULL;

ALTER TABLE incidents
  ADD CONSTRAINT fk_incidents_assigned_to_id FOREIGN KEY (assigned_to_id) REFERENCES people (id) ON DELETE SET NULL;

ALTER TABLE incident_updates
  ADD CONSTRAINT fk_incident_updates_incident_id FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE CASCADE;

ALTER TABLE regions
  ADD CONSTRAINT fk_regions_parent_id FOREIGN KEY (parent_id) REFERENCES regions (id) ON DELETE SET NULL;

ALTER TABLE sites
  ADD CONSTRAINT fk_sites_region_id FOREIGN KEY (region_id) REFERENCES regions (id) ON DELETE SET NULL;

ALTER TABLE locations
  ADD CONSTRAINT fk_locations_parent_id FOREIGN KEY (parent_id) REFERENCES locations (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_locations_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL;

ALTER TABLE racks
  ADD CONSTRAINT fk_racks_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_racks_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL;

ALTER TABLE rack_placements
  ADD CONSTRAINT fk_rack_placements_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE;

ALTER TABLE power_feeds
  ADD CONSTRAINT fk_power_feeds_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_power_feeds_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_power_feeds_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups (id) ON DELETE SET NULL;

ALTER TABLE platforms
  ADD CONSTRAINT fk_platforms_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers (id) ON DELETE SET NULL;

ALTER TABLE device_types
  ADD CONSTRAINT fk_device_types_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers (id) ON DELETE SET NULL;

ALTER TABLE device_type_modules
  ADD CONSTRAINT fk_device_type_modules_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types (id) ON DELETE CASCADE;

ALTER TABLE device_type_ports
  ADD CONSTRAINT fk_device_type_ports_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_device_type_ports_power_port_id FOREIGN KEY (power_port_id) REFERENCES device_type_ports (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_device_type_ports_rear_port_id FOREIGN KEY (rear_port_id) REFERENCES device_type_ports (id) ON DELETE CASCADE;

ALTER TABLE devices
  ADD CONSTRAINT fk_devices_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_device_role_id FOREIGN KEY (device_role_id) REFERENCES device_roles (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_platform_id FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_devices_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups (id) ON DELETE SET NULL;

ALTER TABLE device_ports
  ADD CONSTRAINT fk_device_ports_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_device_ports_lag_id FOREIGN KEY (lag_id) REFERENCES device_ports (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_device_ports_parent_id FOREIGN KEY (parent_id) REFERENCES device_ports (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_device_ports_power_port_id FOREIGN KEY (power_port_id) REFERENCES device_ports (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_device_ports_rear_port_id FOREIGN KEY (rear_port_id) REFERENCES device_ports (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_device_ports_untagged_vlan_id FOREIGN KEY (untagged_vlan_id) REFERENCES vlans (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_device_ports_vrf_id FOREIGN KEY (vrf_id) REFERENCES vrfs (id) ON DELETE SET NULL;

ALTER TABLE device_port_vlans
  ADD CONSTRAINT fk_device_port_vlans_port_id FOREIGN KEY (port_id) REFERENCES device_ports (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_device_port_vlans_vlan_id FOREIGN KEY (vlan_id) REFERENCES vlans (id) ON DELETE CASCADE;

ALTER TABLE cables
  ADD CONSTRAINT fk_cables_a_feed_id FOREIGN KEY (a_feed_id) REFERENCES power_feeds (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_cables_a_port_id FOREIGN KEY (a_port_id) REFERENCES device_ports (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_cables_a_termination_id FOREIGN KEY (a_termination_id) REFERENCES circuit_terminations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_cables_b_feed_id FOREIGN KEY (b_feed_id) REFERENCES power_feeds (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_cables_b_port_id FOREIGN KEY (b_port_id) REFERENCES device_ports (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_cables_b_termination_id FOREIGN KEY (b_termination_id) REFERENCES circuit_terminations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_cables_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups (id) ON DELETE SET NULL;

ALTER TABLE cable_ends
  ADD CONSTRAINT fk_cable_ends_cable_id FOREIGN KEY (cable_id) REFERENCES cables (id) ON DELETE CASCADE;

ALTER TABLE clusters
  ADD CONSTRAINT fk_clusters_cluster_type_id FOREIGN KEY (cluster_type_id) REFERENCES cluster_types (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_clusters_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL;

ALTER TABLE virtual_machines
  ADD CONSTRAINT fk_virtual_machines_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_virtual_machines_platform_id FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE SET NULL;

ALTER TABLE virtual_machine_interfaces
  ADD CONSTRAINT fk_virtual_machine_interfaces_untagged_vlan_id FOREIGN KEY (untagged_vlan_id) REFERENCES vlans (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_virtual_machine_interfaces_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_virtual_machine_interfaces_vrf_id FOREIGN KEY (vrf_id) REFERENCES vrfs (id) ON DELETE SET NULL;

ALTER TABLE virtual_machine_addresses
  ADD CONSTRAINT fk_virtual_machine_addresses_interface_id FOREIGN KEY (interface_id) REFERENCES virtual_machine_interfaces (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_virtual_machine_addresses_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_virtual_machine_addresses_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE prefixes
  ADD CONSTRAINT fk_prefixes_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_prefixes_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_prefixes_vlan_id FOREIGN KEY (vlan_id) REFERENCES vlans (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_prefixes_vrf_id FOREIGN KEY (vrf_id) REFERENCES vrfs (id) ON DELETE SET NULL;

ALTER TABLE ip_addresses
  ADD CONSTRAINT fk_ip_addresses_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_ip_addresses_interface_id FOREIGN KEY (interface_id) REFERENCES device_ports (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_ip_addresses_vrf_id FOREIGN KEY (vrf_id) REFERENCES vrfs (id) ON DELETE SET NULL;

ALTER TABLE vlan_groups
  ADD CONSTRAINT fk_vlan_groups_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL;

ALTER TABLE vlans
  ADD CONSTRAINT fk_vlans_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_vlans_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_vlans_vlan_group_id FOREIGN KEY (vlan_group_id) REFERENCES vlan_groups (id) ON DELETE SET NULL;

ALTER TABLE circuits
  ADD CONSTRAINT fk_circuits_contract_id FOREIGN KEY (contract_id) REFERENCES contracts (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_circuits_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_circuits_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors (id) ON DELETE SET NULL;

ALTER TABLE circuit_terminations
  ADD CONSTRAINT fk_circuit_terminations_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_circuit_terminations_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL;

ALTER TABLE contracts
  ADD CONSTRAINT fk_contracts_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors (id) ON DELETE SET NULL;

ALTER TABLE slas
  ADD CONSTRAINT fk_slas_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors (id) ON DELETE SET NULL;

ALTER TABLE software_licences
  ADD CONSTRAINT fk_software_licences_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors (id) ON DELETE SET NULL;

ALTER TABLE renewals
  ADD CONSTRAINT fk_renewals_contract_id FOREIGN KEY (contract_id) REFERENCES contracts (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_renewals_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors (id) ON DELETE SET NULL;

ALTER TABLE assets
  ADD CONSTRAINT fk_assets_category_id FOREIGN KEY (category_id) REFERENCES asset_categories (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_assets_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_assets_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_assets_purchase_order_id FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_assets_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL;

ALTER TABLE asset_assignments
  ADD CONSTRAINT fk_asset_assignments_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_asset_assignments_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE SET NULL;

ALTER TABLE purchase_orders
  ADD CONSTRAINT fk_purchase_orders_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_purchase_orders_requested_by_id FOREIGN KEY (requested_by_id) REFERENCES people (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_purchase_orders_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_purchase_orders_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors (id) ON DELETE SET NULL;

ALTER TABLE purchase_order_items
  ADD CONSTRAINT fk_purchase_order_items_category_id FOREIGN KEY (category_id) REFERENCES asset_categories (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_purchase_order_items_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_purchase_order_items_purchase_order_id FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders (id) ON DELETE CASCADE;

ALTER TABLE receipts
  ADD CONSTRAINT fk_receipts_purchase_order_id FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders (id) ON DELETE CASCADE;

ALTER TABLE people
  ADD CONSTRAINT fk_people_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_people_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE SET NULL;

ALTER TABLE incident_targets
  ADD CONSTRAINT fk_incident_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_incident_id FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_power_feed_id FOREIGN KEY (power_feed_id) REFERENCES power_feeds (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_region_id FOREIGN KEY (region_id) REFERENCES regions (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_incident_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE maintenance_window_targets
  ADD CONSTRAINT fk_maintenance_window_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_maintenance_window_id FOREIGN KEY (maintenance_window_id) REFERENCES maintenance_windows (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_power_feed_id FOREIGN KEY (power_feed_id) REFERENCES power_feeds (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_region_id FOREIGN KEY (region_id) REFERENCES regions (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_maintenance_window_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE change_request_targets
  ADD CONSTRAINT fk_change_request_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_change_request_id FOREIGN KEY (change_request_id) REFERENCES change_requests (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_power_feed_id FOREIGN KEY (power_feed_id) REFERENCES power_feeds (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_region_id FOREIGN KEY (region_id) REFERENCES regions (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_change_request_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE known_issue_targets
  ADD CONSTRAINT fk_known_issue_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_device_role_id FOREIGN KEY (device_role_id) REFERENCES device_roles (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_known_issue_id FOREIGN KEY (known_issue_id) REFERENCES known_issues (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_platform_id FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_power_feed_id FOREIGN KEY (power_feed_id) REFERENCES power_feeds (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_region_id FOREIGN KEY (region_id) REFERENCES regions (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_known_issue_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE runbook_targets
  ADD CONSTRAINT fk_runbook_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_device_role_id FOREIGN KEY (device_role_id) REFERENCES device_roles (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_platform_id FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_power_feed_id FOREIGN KEY (power_feed_id) REFERENCES power_feeds (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_region_id FOREIGN KEY (region_id) REFERENCES regions (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_runbook_id FOREIGN KEY (runbook_id) REFERENCES runbooks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_runbook_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE region_responsibilities
  ADD CONSTRAINT fk_region_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_region_responsibilities_region_id FOREIGN KEY (region_id) REFERENCES regions (id) ON DELETE CASCADE;

ALTER TABLE site_responsibilities
  ADD CONSTRAINT fk_site_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_site_responsibilities_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE;

ALTER TABLE location_responsibilities
  ADD CONSTRAINT fk_location_responsibilities_location_id FOREIGN KEY (location_id) REFERENCES locations (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_location_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE;

ALTER TABLE rack_responsibilities
  ADD CONSTRAINT fk_rack_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_rack_responsibilities_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE;

ALTER TABLE device_responsibilities
  ADD CONSTRAINT fk_device_responsibilities_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_device_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE;

ALTER TABLE cluster_responsibilities
  ADD CONSTRAINT fk_cluster_responsibilities_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_cluster_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE;

ALTER TABLE virtual_machine_responsibilities
  ADD CONSTRAINT fk_virtual_machine_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_virtual_machine_responsibilities_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE circuit_responsibilities
  ADD CONSTRAINT fk_circuit_responsibilities_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_circuit_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE;

ALTER TABLE asset_responsibilities
  ADD CONSTRAINT fk_asset_responsibilities_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_asset_responsibilities_person_id FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE;

ALTER TABLE contract_coverage
  ADD CONSTRAINT fk_contract_coverage_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_contract_id FOREIGN KEY (contract_id) REFERENCES contracts (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contract_coverage_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE sla_coverage
  ADD CONSTRAINT fk_sla_coverage_asset_id FOREIGN KEY (asset_id) REFERENCES assets (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_circuit_id FOREIGN KEY (circuit_id) REFERENCES circuits (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_rack_id FOREIGN KEY (rack_id) REFERENCES racks (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_site_id FOREIGN KEY (site_id) REFERENCES sites (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_sla_id FOREIGN KEY (sla_id) REFERENCES slas (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences (id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_sla_coverage_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines (id) ON DELETE CASCADE;

ALTER TABLE identities
  ADD CONSTRAINT fk_identities_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE CASCADE;

ALTER TABLE sessions
  ADD CONSTRAINT fk_sessions_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE CASCADE;

ALTER TABLE tokens
  ADD CONSTRAINT fk_tokens_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE CASCADE;

ALTER TABLE calendar_feeds
  ADD CONSTRAINT fk_calendar_feeds_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE CASCADE;

ALTER TABLE webhook_states
  ADD CONSTRAINT fk_webhook_states_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE;

ALTER TABLE webhook_deliveries
  ADD CONSTRAINT fk_webhook_deliveries_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE;

-- Indexes over the trigrams of what lists are searched in. Trigrams are an extension of PostgreSQL that a few installations lack,
-- or keep from ordinary roles: lists are right without it, and read the whole table to search it.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_on_call_schedules_search ON on_call_schedules USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_runbooks_search ON runbooks USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_known_issues_search ON known_issues USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_maintenance_windows_search ON maintenance_windows USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_change_requests_search ON change_requests USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_incidents_search ON incidents USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_regions_search ON regions USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_sites_search ON sites USING gin (name gin_trgm_ops, facility gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_locations_search ON locations USING gin (name gin_trgm_ops, facility gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_racks_search ON racks USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_power_feeds_search ON power_feeds USING gin (name gin_trgm_ops, panel gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_manufacturers_search ON manufacturers USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_platforms_search ON platforms USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_roles_search ON device_roles USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_types_search ON device_types USING gin (model gin_trgm_ops, part_number gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_type_modules_search ON device_type_modules USING gin (sku gin_trgm_ops, name gin_trgm_ops, description gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_type_ports_search ON device_type_ports USING gin (name gin_trgm_ops, label gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_devices_search ON devices USING gin (name gin_trgm_ops, serial_number gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_ports_search ON device_ports USING gin (name gin_trgm_ops, label gin_trgm_ops, mac_address gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_cables_search ON cables USING gin (label gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_cluster_types_search ON cluster_types USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_clusters_search ON clusters USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_virtual_machines_search ON virtual_machines USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_virtual_machine_interfaces_search ON virtual_machine_interfaces USING gin (name gin_trgm_ops, mac_address gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vrfs_search ON vrfs USING gin (name gin_trgm_ops, route_distinguisher gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_prefixes_search ON prefixes USING gin ((prefix::text) gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_ip_addresses_search ON ip_addresses USING gin (numbers_in(((((COALESCE((address)::text, ''::text) || ' '::text) || (COALESCE(dns_name, ''::character varying))::text) || ' '::text) || COALESCE(description, ''::text))), dns_name gin_trgm_ops, (address::text) gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vlan_groups_search ON vlan_groups USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vlans_search ON vlans USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_circuits_search ON circuits USING gin (circuit_number gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_circuit_terminations_search ON circuit_terminations USING gin (provider_network gin_trgm_ops, cross_connect gin_trgm_ops, patch_panel gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vendors_search ON vendors USING gin (name gin_trgm_ops, account_manager gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_contracts_search ON contracts USING gin (name gin_trgm_ops, contract_number gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_slas_search ON slas USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_software_licences_search ON software_licences USING gin (name gin_trgm_ops, product gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_renewals_search ON renewals USING gin (name gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_asset_categories_search ON asset_categories USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_assets_search ON assets USING gin (name gin_trgm_ops, asset_tag gin_trgm_ops, serial_number gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_purchase_orders_search ON purchase_orders USING gin (order_number gin_trgm_ops, supplier_reference gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_people_search ON people USING gin (full_name gin_trgm_ops, email gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_tenant_groups_search ON tenant_groups USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_profiles_search ON profiles USING gin (email gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_tokens_search ON tokens USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_calendar_feeds_search ON calendar_feeds USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_webhooks_search ON webhooks USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_custom_fields_search ON custom_fields USING gin (key gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching a list will read all of it';
END
$$;
