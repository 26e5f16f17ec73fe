-- Indexes over the trigrams of what lists are searched in. Trigrams are an extension of PostgreSQL that a few installations lack,
-- or keep from ordinary roles: lists are right without it, and read the whole table to search it.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_asset_categories_search ON asset_categories USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_assets_search ON assets USING gin (name gin_trgm_ops, asset_tag gin_trgm_ops, serial_number gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_calendar_feeds_search ON calendar_feeds USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_change_requests_search ON change_requests USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_cluster_types_search ON cluster_types USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_clusters_search ON clusters USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_contracts_search ON contracts USING gin (name gin_trgm_ops, contract_number gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_ports_search ON device_ports USING gin (name gin_trgm_ops, label gin_trgm_ops, mac_address gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_roles_search ON device_roles USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_type_modules_search ON device_type_modules USING gin (sku gin_trgm_ops, name gin_trgm_ops, description gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_type_ports_search ON device_type_ports USING gin (name gin_trgm_ops, label gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_device_types_search ON device_types USING gin (model gin_trgm_ops, part_number gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_devices_search ON devices USING gin (name gin_trgm_ops, serial_number gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_incidents_search ON incidents USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_ip_addresses_search ON ip_addresses USING gin (numbers_in(((((COALESCE((address)::text, ''::text) || ' '::text) || (COALESCE(dns_name, ''::character varying))::text) || ' '::text) || COALESCE(description, ''::text))), dns_name gin_trgm_ops, ((address)::text) gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_known_issues_search ON known_issues USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_locations_search ON locations USING gin (name gin_trgm_ops, facility gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_maintenance_windows_search ON maintenance_windows USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_manufacturers_search ON manufacturers USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_on_call_schedules_search ON on_call_schedules USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_people_search ON people USING gin (full_name gin_trgm_ops, email gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_platforms_search ON platforms USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_prefixes_search ON prefixes USING gin (((prefix)::text) gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_profiles_search ON profiles USING gin (email gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_purchase_orders_search ON purchase_orders USING gin (order_number gin_trgm_ops, supplier_reference gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_racks_search ON racks USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_renewals_search ON renewals USING gin (name gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_runbooks_search ON runbooks USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_sites_search ON sites USING gin (name gin_trgm_ops, facility gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_slas_search ON slas USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_software_licences_search ON software_licences USING gin (name gin_trgm_ops, product gin_trgm_ops, notes gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_tenant_groups_search ON tenant_groups USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_tokens_search ON tokens USING gin (name gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vendors_search ON vendors USING gin (name gin_trgm_ops, account_manager gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_virtual_machines_search ON virtual_machines USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vlan_groups_search ON vlan_groups USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vlans_search ON vlans USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
  CREATE INDEX ix_vrfs_search ON vrfs USING gin (name gin_trgm_ops, route_distinguisher gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching a list will read all of it';
END
$$;
