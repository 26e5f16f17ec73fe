-- The tables, indexes and constraints of the baseline, as pg_dump writes them.

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TYPE change_log_key AS (
	created_at timestamp with time zone,
	id uuid
);

CREATE SEQUENCE change_log_sequence
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE address_blocks (
    id bigint NOT NULL,
    space uuid NOT NULL,
    block cidr NOT NULL,
    hosts integer NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE address_hosts (
    space uuid NOT NULL,
    host inet NOT NULL,
    times integer NOT NULL,
    alone integer NOT NULL
);

CREATE TABLE asset_assignments (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    asset_id uuid NOT NULL,
    person_id uuid,
    assigned_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    returned_at timestamp(3) with time zone,
    person_name character varying(255),
    person_email character varying(255),
    CONSTRAINT ck_asset_assignments_open CHECK (((person_id IS NOT NULL) OR (returned_at IS NOT NULL)))
);

CREATE TABLE asset_categories (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    description text
);

CREATE TABLE assets (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    asset_tag character varying(255),
    serial_number character varying(255),
    status character varying(255) DEFAULT 'in_stock'::character varying NOT NULL,
    condition character varying(255),
    category_id uuid,
    manufacturer_id uuid,
    site_id uuid,
    location_id uuid,
    purchase_order_id uuid,
    purchased_at timestamp(3) with time zone,
    warranty_until timestamp(3) with time zone,
    purchase_price numeric(10,2),
    notes text
);

CREATE TABLE calendar_events (
    feed_id uuid NOT NULL,
    uid text NOT NULL,
    hours tstzrange NOT NULL,
    content jsonb NOT NULL,
    sequence integer DEFAULT 0 NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE calendar_feeds (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    profile_id uuid NOT NULL,
    kind character varying(32) NOT NULL,
    roster character varying(255),
    person_id uuid,
    secret_hash bytea NOT NULL,
    CONSTRAINT ck_kind CHECK ((kind IN ('on-call', 'maintenance', 'changes', 'expirations'))),
    CONSTRAINT ck_narrowing CHECK ((((kind)::text = 'on-call'::text) OR ((roster IS NULL) AND (person_id IS NULL))))
);

CREATE TABLE catalogue_entries (
    kind text NOT NULL,
    slug text NOT NULL
);

CREATE TABLE change_log (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    action character varying(32) NOT NULL,
    resource character varying(255) NOT NULL,
    area character varying(255),
    record_id uuid NOT NULL,
    record_name character varying(255),
    actor_id uuid,
    actor character varying(255) NOT NULL,
    request_id character varying(255),
    old_values jsonb,
    new_values jsonb,
    transaction_id bigint NOT NULL,
    token_id uuid,
    token_name character varying(255),
    CONSTRAINT ck_action CHECK ((action IN ('create', 'update', 'delete')))
)
PARTITION BY RANGE (created_at);

CREATE TABLE change_log_default (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    action character varying(32) NOT NULL,
    resource character varying(255) NOT NULL,
    area character varying(255),
    record_id uuid NOT NULL,
    record_name character varying(255),
    actor_id uuid,
    actor character varying(255) NOT NULL,
    request_id character varying(255),
    old_values jsonb,
    new_values jsonb,
    transaction_id bigint NOT NULL,
    token_id uuid,
    token_name character varying(255),
    CONSTRAINT ck_action CHECK ((action IN ('create', 'update', 'delete')))
);

CREATE TABLE change_log_pruned (
    single boolean DEFAULT true NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    CONSTRAINT ck_single CHECK (single)
);

CREATE TABLE change_request_targets (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    resource character varying(32) NOT NULL,
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
    CONSTRAINT ck_resource CHECK ((resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences')))
);

CREATE TABLE change_requests (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    status character varying(255) DEFAULT 'draft'::character varying NOT NULL,
    risk character varying(255) DEFAULT 'low'::character varying NOT NULL,
    requested_by_id uuid,
    scheduled_for timestamp(3) with time zone,
    description text
);

CREATE TABLE cluster_types (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    description text
);

CREATE TABLE clusters (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    cluster_type_id uuid,
    site_id uuid,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    description text
);

CREATE TABLE contracts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    contract_number character varying(255),
    vendor_id uuid,
    type character varying(255),
    start_date date,
    end_date date,
    notice_date date,
    cost numeric,
    currency character varying(3) DEFAULT 'USD'::character varying NOT NULL,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    notes text,
    CONSTRAINT ck_contract_end_date CHECK ((end_date >= start_date))
);

CREATE TABLE device_ports (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    device_id uuid NOT NULL,
    name character varying(255) NOT NULL,
    label character varying(255),
    type character varying(255),
    enabled boolean DEFAULT true NOT NULL,
    mac_address character varying(255),
    mtu integer,
    speed_mbps integer,
    mgmt_only boolean DEFAULT false NOT NULL,
    description text,
    CONSTRAINT ck_mtu CHECK ((mtu >= 0)),
    CONSTRAINT ck_speed_mbps CHECK ((speed_mbps >= 0))
);

CREATE TABLE device_roles (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    color character varying(255) DEFAULT '#4F6EF7'::character varying NOT NULL,
    description text,
    tier character varying(32),
    redundancy character varying(32),
    compliance_baselines text[] DEFAULT '{}'::text[] NOT NULL,
    vm_role boolean DEFAULT false NOT NULL,
    typical_location character varying(255),
    responsibilities text,
    popular boolean DEFAULT false NOT NULL,
    source character varying(32) DEFAULT 'customer'::character varying NOT NULL,
    CONSTRAINT ck_redundancy CHECK ((redundancy IN ('optional', 'recommended', 'required'))),
    CONSTRAINT ck_source CHECK ((source IN ('vendor', 'customer'))),
    CONSTRAINT ck_tier CHECK ((tier IN ('access', 'distribution', 'core', 'spine', 'leaf', 'border-leaf', 'ai-fabric', 'edge', 'sp-edge', 'sp-core', 'customer-edge', 'branch', 'security', 'wireless', 'storage', 'compute', 'mgmt', 'optical', 'dci', 'passive', 'monitoring')))
);

CREATE TABLE device_type_modules (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    device_type_id uuid NOT NULL,
    sku character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    description text,
    slot_label character varying(255),
    connector_type character varying(255),
    speeds text[] DEFAULT '{}'::text[] NOT NULL,
    port_count integer,
    poe_standard character varying(255),
    poe_watts integer,
    notes text,
    sort_order integer,
    source character varying(255) DEFAULT 'customer'::character varying NOT NULL,
    CONSTRAINT ck_poe_watts CHECK ((poe_watts >= 0)),
    CONSTRAINT ck_port_count CHECK ((port_count >= 0))
);

CREATE TABLE device_type_ports (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    device_type_id uuid NOT NULL,
    name character varying(255) NOT NULL,
    label character varying(255),
    type character varying(255),
    mgmt_only boolean DEFAULT false NOT NULL,
    speed_mbps integer,
    description text,
    CONSTRAINT ck_speed_mbps CHECK ((speed_mbps >= 0))
);

CREATE TABLE device_types (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    model character varying(255) NOT NULL,
    manufacturer_id uuid,
    slug character varying(255),
    part_number character varying(255),
    u_height double precision,
    is_full_depth boolean DEFAULT true NOT NULL,
    description text,
    source character varying(32) DEFAULT 'customer'::character varying NOT NULL,
    weight double precision,
    airflow character varying(255),
    subdevice_role character varying(255),
    is_powered boolean DEFAULT true NOT NULL,
    CONSTRAINT ck_source CHECK ((source IN ('vendor', 'customer'))),
    CONSTRAINT ck_u_height CHECK (((u_height >= (0)::double precision) AND (u_height <= (1000)::double precision))),
    CONSTRAINT ck_weight CHECK (((weight >= (0)::double precision) AND (weight <= (100000)::double precision)))
);

CREATE TABLE devices (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    device_type_id uuid,
    device_role_id uuid,
    platform_id uuid,
    site_id uuid,
    location_id uuid,
    rack_id uuid,
    rack_position double precision,
    rack_face character varying(32),
    cluster_id uuid,
    tenant_group_id uuid,
    asset_id uuid,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    serial_number character varying(255),
    description text,
    CONSTRAINT ck_rack_face CHECK ((rack_face IN ('front', 'rear'))),
    CONSTRAINT ck_rack_position CHECK (((rack_position >= (0)::double precision) AND (rack_position <= (1000)::double precision)))
);

CREATE TABLE idempotency_keys (
    profile_id uuid NOT NULL,
    route text NOT NULL,
    key character varying(255) NOT NULL,
    body_digest text NOT NULL,
    answer text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    profile_id uuid NOT NULL,
    email_verified boolean NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE incident_targets (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    resource character varying(32) NOT NULL,
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
    CONSTRAINT ck_resource CHECK ((resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences')))
);

CREATE TABLE incident_updates (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    incident_id uuid NOT NULL,
    message text NOT NULL,
    status character varying(255),
    severity character varying(255),
    author character varying(255) NOT NULL
);

CREATE TABLE incidents (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    severity character varying(255) DEFAULT 'sev3'::character varying,
    status character varying(255) DEFAULT 'open'::character varying,
    detected_at timestamp(3) with time zone,
    resolved_at timestamp(3) with time zone,
    assigned_to_id uuid,
    description text,
    CONSTRAINT ck_incident_resolved_at CHECK ((resolved_at >= detected_at))
);

CREATE TABLE ip_addresses (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    address inet NOT NULL,
    vrf_id uuid,
    device_id uuid,
    interface_id uuid,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    role character varying(255),
    family integer NOT NULL,
    dns_name character varying(255),
    description text,
    CONSTRAINT ck_family CHECK (((family >= 4) AND (family <= 6))),
    CONSTRAINT ck_ip_addresses_family CHECK ((family = family(address)))
);

CREATE TABLE known_issues (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    severity character varying(255) DEFAULT 'medium'::character varying NOT NULL,
    status character varying(255) DEFAULT 'open'::character varying NOT NULL,
    affected_system character varying(255),
    workaround text,
    description text
);

CREATE TABLE locations (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    site_id uuid,
    parent_id uuid,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    facility character varying(255),
    description text
);

CREATE TABLE login_throttles (
    key text NOT NULL,
    attempts integer NOT NULL,
    window_ends_at timestamp(3) with time zone NOT NULL,
    in_flight timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL
);

CREATE TABLE maintenance_window_targets (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    resource character varying(32) NOT NULL,
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
    CONSTRAINT ck_resource CHECK ((resource IN ('sites', 'locations', 'racks', 'devices', 'clusters', 'virtual-machines', 'ip-addresses', 'assets', 'software-licences')))
);

CREATE TABLE maintenance_windows (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    start_time timestamp(3) with time zone,
    end_time timestamp(3) with time zone,
    status character varying(255) DEFAULT 'scheduled'::character varying NOT NULL,
    impact text,
    description text,
    CONSTRAINT ck_maintenance_window_end_time CHECK ((end_time >= start_time))
);

CREATE TABLE manufacturers (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    website character varying(255),
    support_url character varying(255),
    support_email character varying(255),
    support_phone character varying(255),
    description text
);

CREATE TABLE on_call_schedules (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    person_id uuid,
    start_time timestamp(3) with time zone,
    end_time timestamp(3) with time zone,
    rotation character varying(255),
    description text,
    CONSTRAINT ck_on_call_schedule_end_time CHECK ((end_time >= start_time))
);

CREATE TABLE people (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    full_name character varying(255) NOT NULL,
    email character varying(255),
    phone character varying(255),
    job_title character varying(255),
    department character varying(255),
    employee_id character varying(255),
    site_id uuid,
    profile_id uuid,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    start_date date,
    notes text
);

CREATE TABLE platforms (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    manufacturer_id uuid,
    description text,
    nos_family character varying(255),
    typical_devices text,
    key_features text,
    common_use_cases text,
    commercial_status character varying(32),
    automation_apis text[] DEFAULT '{}'::text[] NOT NULL,
    popular boolean DEFAULT false NOT NULL,
    source character varying(32) DEFAULT 'customer'::character varying NOT NULL,
    CONSTRAINT ck_commercial_status CHECK ((commercial_status IN ('active', 'eos', 'eol', 'limited', 'open-source'))),
    CONSTRAINT ck_source CHECK ((source IN ('vendor', 'customer')))
);

CREATE TABLE prefixes (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    prefix cidr NOT NULL,
    vrf_id uuid,
    site_id uuid,
    vlan_id uuid,
    tenant_group_id uuid,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    role character varying(255),
    is_pool boolean DEFAULT false NOT NULL,
    description text
);

CREATE TABLE profiles (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    email character varying(255) NOT NULL,
    role character varying(32) DEFAULT 'viewer'::character varying NOT NULL,
    areas text[] DEFAULT '{operations,network,procurement,people}'::text[] NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    password_hash text,
    CONSTRAINT ck_role CHECK ((role IN ('viewer', 'editor', 'manager', 'admin')))
);

CREATE TABLE purchase_order_items (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    purchase_order_id uuid NOT NULL,
    name character varying(255) NOT NULL,
    sku character varying(255),
    quantity integer NOT NULL,
    quantity_received integer DEFAULT 0 NOT NULL,
    unit_price numeric(10,2),
    category_id uuid,
    manufacturer_id uuid,
    warranty_months integer,
    notes text,
    sort_order integer,
    "position" integer NOT NULL,
    CONSTRAINT ck_purchase_order_items_quantity_received CHECK ((quantity_received <= quantity)),
    CONSTRAINT ck_quantity CHECK (((quantity >= 1) AND (quantity <= 1000000))),
    CONSTRAINT ck_quantity_received CHECK ((quantity_received >= 0)),
    CONSTRAINT ck_warranty_months CHECK (((warranty_months >= 0) AND (warranty_months <= 1200)))
);

CREATE TABLE purchase_orders (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    order_number character varying(255) NOT NULL,
    vendor_id uuid,
    status character varying(32) DEFAULT 'ordered'::character varying NOT NULL,
    order_date date,
    expected_date date,
    received_date date,
    currency character varying(3) DEFAULT 'USD'::character varying NOT NULL,
    supplier_reference character varying(255),
    requested_by_id uuid,
    site_id uuid,
    location_id uuid,
    notes text,
    CONSTRAINT ck_status CHECK ((status IN ('draft', 'ordered', 'partially_received', 'received', 'closed', 'cancelled')))
);

CREATE TABLE rack_placements (
    device_id uuid NOT NULL,
    rack_id uuid NOT NULL,
    faces int4range NOT NULL,
    units int4range NOT NULL,
    cluster uuid NOT NULL
);

CREATE TABLE racks (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    site_id uuid,
    location_id uuid,
    units integer,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    CONSTRAINT ck_units CHECK ((units >= 0))
);

CREATE TABLE receipts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    purchase_order_id uuid NOT NULL,
    received_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    received_by character varying(255),
    reversed_at timestamp(3) with time zone,
    reversed_by character varying(255),
    lines jsonb NOT NULL
);

CREATE TABLE record_counts (
    table_name text NOT NULL COLLATE pg_catalog."C",
    delta bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE renewals (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    vendor_id uuid,
    contract_id uuid,
    renewal_date date,
    amount numeric,
    status character varying(255),
    notes text
);

CREATE TABLE runbooks (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    category character varying(255),
    content text,
    owner_id uuid,
    description text
);

CREATE TABLE sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    profile_id uuid NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    remote_address character varying(255),
    user_agent character varying(255),
    token_hash bytea NOT NULL
);

CREATE TABLE settings (
    name text NOT NULL,
    value text NOT NULL
);

CREATE TABLE sites (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    facility character varying(255),
    physical_address text,
    time_zone character varying(255),
    latitude double precision,
    longitude double precision,
    description text,
    CONSTRAINT ck_latitude CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT ck_longitude CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);

CREATE TABLE slas (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    vendor_id uuid,
    target character varying(255),
    response_time character varying(255),
    uptime character varying(255),
    description text
);

CREATE TABLE software_licences (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    product character varying(255),
    licence_key text,
    seats integer,
    assigned_seats integer,
    vendor_id uuid,
    expiry_date date,
    cost numeric,
    status character varying(255),
    notes text,
    CONSTRAINT ck_assigned_seats CHECK ((assigned_seats >= 0)),
    CONSTRAINT ck_seats CHECK ((seats >= 0))
);

CREATE TABLE tenant_groups (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    description text
);

CREATE TABLE tokens (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    profile_id uuid NOT NULL,
    prefix character varying(255) NOT NULL,
    role character varying(32) NOT NULL,
    areas text[] NOT NULL,
    read_only boolean DEFAULT false NOT NULL,
    allowed_networks cidr[] DEFAULT '{}'::cidr[] NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    last_used_address character varying(255),
    secret_hash bytea NOT NULL,
    CONSTRAINT ck_role CHECK ((role IN ('viewer', 'editor', 'manager', 'admin')))
);

CREATE TABLE value_counts (
    table_name text NOT NULL COLLATE pg_catalog."C",
    column_name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    delta bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE vendors (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    slug character varying(255),
    account_manager character varying(255),
    email character varying(255),
    phone character varying(255),
    website character varying(255),
    status character varying(255),
    description text
);

CREATE TABLE virtual_machines (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    cluster_id uuid,
    status character varying(255),
    vcpus integer,
    memory_mb integer,
    disk_gb integer,
    platform_id uuid,
    description text,
    CONSTRAINT ck_disk_gb CHECK ((disk_gb >= 0)),
    CONSTRAINT ck_memory_mb CHECK ((memory_mb >= 0)),
    CONSTRAINT ck_vcpus CHECK ((vcpus >= 0))
);

CREATE TABLE vlan_groups (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    site_id uuid,
    min_vid integer,
    max_vid integer,
    description text,
    CONSTRAINT ck_max_vid CHECK (((max_vid >= 1) AND (max_vid <= 4094))),
    CONSTRAINT ck_min_vid CHECK (((min_vid >= 1) AND (min_vid <= 4094))),
    CONSTRAINT ck_vlan_groups_range CHECK ((max_vid >= min_vid))
);

CREATE TABLE vlans (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    vid integer NOT NULL,
    name character varying(255) NOT NULL,
    vlan_group_id uuid,
    site_id uuid,
    tenant_group_id uuid,
    status character varying(255) DEFAULT 'active'::character varying NOT NULL,
    role character varying(255),
    description text,
    CONSTRAINT ck_vid CHECK (((vid >= 1) AND (vid <= 4094)))
);

CREATE TABLE vrfs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    name character varying(255) NOT NULL,
    route_distinguisher character varying(255),
    description text,
    enforce_unique boolean DEFAULT false NOT NULL
);

ALTER TABLE address_blocks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME address_blocks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY change_log ATTACH PARTITION change_log_default DEFAULT;

ALTER TABLE ONLY change_log
    ADD CONSTRAINT pk_change_log PRIMARY KEY (id, created_at);

ALTER TABLE ONLY change_log_default
    ADD CONSTRAINT change_log_default_pkey PRIMARY KEY (id, created_at);

ALTER TABLE ONLY rack_placements
    ADD CONSTRAINT ex_rack_placements EXCLUDE USING gist (rack_id WITH =, faces WITH &&, units WITH &&, cluster WITH <>);

ALTER TABLE ONLY address_blocks
    ADD CONSTRAINT pk_address_blocks PRIMARY KEY (id);

ALTER TABLE ONLY address_hosts
    ADD CONSTRAINT pk_address_hosts PRIMARY KEY (space, host);

ALTER TABLE ONLY asset_assignments
    ADD CONSTRAINT pk_asset_assignments PRIMARY KEY (id);

ALTER TABLE ONLY asset_categories
    ADD CONSTRAINT pk_asset_categories PRIMARY KEY (id);

ALTER TABLE ONLY assets
    ADD CONSTRAINT pk_assets PRIMARY KEY (id);

ALTER TABLE ONLY calendar_events
    ADD CONSTRAINT pk_calendar_events PRIMARY KEY (feed_id, uid);

ALTER TABLE ONLY calendar_feeds
    ADD CONSTRAINT pk_calendar_feeds PRIMARY KEY (id);

ALTER TABLE ONLY catalogue_entries
    ADD CONSTRAINT pk_catalogue_entries PRIMARY KEY (kind, slug);

ALTER TABLE ONLY change_log_pruned
    ADD CONSTRAINT pk_change_log_pruned PRIMARY KEY (single);

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT pk_change_request_targets PRIMARY KEY (id);

ALTER TABLE ONLY change_requests
    ADD CONSTRAINT pk_change_requests PRIMARY KEY (id);

ALTER TABLE ONLY cluster_types
    ADD CONSTRAINT pk_cluster_types PRIMARY KEY (id);

ALTER TABLE ONLY clusters
    ADD CONSTRAINT pk_clusters PRIMARY KEY (id);

ALTER TABLE ONLY contracts
    ADD CONSTRAINT pk_contracts PRIMARY KEY (id);

ALTER TABLE ONLY device_ports
    ADD CONSTRAINT pk_device_ports PRIMARY KEY (id);

ALTER TABLE ONLY device_roles
    ADD CONSTRAINT pk_device_roles PRIMARY KEY (id);

ALTER TABLE ONLY device_type_modules
    ADD CONSTRAINT pk_device_type_modules PRIMARY KEY (id);

ALTER TABLE ONLY device_type_ports
    ADD CONSTRAINT pk_device_type_ports PRIMARY KEY (id);

ALTER TABLE ONLY device_types
    ADD CONSTRAINT pk_device_types PRIMARY KEY (id);

ALTER TABLE ONLY devices
    ADD CONSTRAINT pk_devices PRIMARY KEY (id);

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (profile_id, route, key);

ALTER TABLE ONLY identities
    ADD CONSTRAINT pk_identities PRIMARY KEY (issuer, subject);

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT pk_incident_targets PRIMARY KEY (id);

ALTER TABLE ONLY incident_updates
    ADD CONSTRAINT pk_incident_updates PRIMARY KEY (id);

ALTER TABLE ONLY incidents
    ADD CONSTRAINT pk_incidents PRIMARY KEY (id);

ALTER TABLE ONLY ip_addresses
    ADD CONSTRAINT pk_ip_addresses PRIMARY KEY (id);

ALTER TABLE ONLY known_issues
    ADD CONSTRAINT pk_known_issues PRIMARY KEY (id);

ALTER TABLE ONLY locations
    ADD CONSTRAINT pk_locations PRIMARY KEY (id);

ALTER TABLE ONLY login_throttles
    ADD CONSTRAINT pk_login_throttles PRIMARY KEY (key);

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT pk_maintenance_window_targets PRIMARY KEY (id);

ALTER TABLE ONLY maintenance_windows
    ADD CONSTRAINT pk_maintenance_windows PRIMARY KEY (id);

ALTER TABLE ONLY manufacturers
    ADD CONSTRAINT pk_manufacturers PRIMARY KEY (id);

ALTER TABLE ONLY on_call_schedules
    ADD CONSTRAINT pk_on_call_schedules PRIMARY KEY (id);

ALTER TABLE ONLY people
    ADD CONSTRAINT pk_people PRIMARY KEY (id);

ALTER TABLE ONLY platforms
    ADD CONSTRAINT pk_platforms PRIMARY KEY (id);

ALTER TABLE ONLY prefixes
    ADD CONSTRAINT pk_prefixes PRIMARY KEY (id);

ALTER TABLE ONLY profiles
    ADD CONSTRAINT pk_profiles PRIMARY KEY (id);

ALTER TABLE ONLY purchase_order_items
    ADD CONSTRAINT pk_purchase_order_items PRIMARY KEY (id);

ALTER TABLE ONLY purchase_orders
    ADD CONSTRAINT pk_purchase_orders PRIMARY KEY (id);

ALTER TABLE ONLY rack_placements
    ADD CONSTRAINT pk_rack_placements PRIMARY KEY (device_id);

ALTER TABLE ONLY racks
    ADD CONSTRAINT pk_racks PRIMARY KEY (id);

ALTER TABLE ONLY receipts
    ADD CONSTRAINT pk_receipts PRIMARY KEY (id);

ALTER TABLE ONLY renewals
    ADD CONSTRAINT pk_renewals PRIMARY KEY (id);

ALTER TABLE ONLY runbooks
    ADD CONSTRAINT pk_runbooks PRIMARY KEY (id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (id);

ALTER TABLE ONLY settings
    ADD CONSTRAINT pk_settings PRIMARY KEY (name);

ALTER TABLE ONLY sites
    ADD CONSTRAINT pk_sites PRIMARY KEY (id);

ALTER TABLE ONLY slas
    ADD CONSTRAINT pk_slas PRIMARY KEY (id);

ALTER TABLE ONLY software_licences
    ADD CONSTRAINT pk_software_licences PRIMARY KEY (id);

ALTER TABLE ONLY tenant_groups
    ADD CONSTRAINT pk_tenant_groups PRIMARY KEY (id);

ALTER TABLE ONLY tokens
    ADD CONSTRAINT pk_tokens PRIMARY KEY (id);

ALTER TABLE ONLY vendors
    ADD CONSTRAINT pk_vendors PRIMARY KEY (id);

ALTER TABLE ONLY virtual_machines
    ADD CONSTRAINT pk_virtual_machines PRIMARY KEY (id);

ALTER TABLE ONLY vlan_groups
    ADD CONSTRAINT pk_vlan_groups PRIMARY KEY (id);

ALTER TABLE ONLY vlans
    ADD CONSTRAINT pk_vlans PRIMARY KEY (id);

ALTER TABLE ONLY vrfs
    ADD CONSTRAINT pk_vrfs PRIMARY KEY (id);

CREATE INDEX ix_change_log_actor_id_created_at ON ONLY change_log USING btree (actor_id, created_at);

CREATE INDEX change_log_default_actor_id_created_at_idx ON change_log_default USING btree (actor_id, created_at);

CREATE INDEX ix_change_log_created_at_id ON ONLY change_log USING btree (created_at, id);

CREATE INDEX change_log_default_created_at_id_idx ON change_log_default USING btree (created_at, id);

CREATE INDEX ix_change_log_record_id_id ON ONLY change_log USING btree (record_id, id);

CREATE INDEX change_log_default_record_id_id_idx ON change_log_default USING btree (record_id, id);

CREATE INDEX ix_change_log_request_id ON ONLY change_log USING btree (request_id COLLATE "C");

CREATE INDEX change_log_default_request_id_idx ON change_log_default USING btree (request_id COLLATE "C");

CREATE INDEX ix_change_log_token_id_created_at ON ONLY change_log USING btree (token_id, created_at) WHERE (token_id IS NOT NULL);

CREATE INDEX change_log_default_token_id_created_at_idx ON change_log_default USING btree (token_id, created_at) WHERE (token_id IS NOT NULL);

CREATE INDEX ix_address_blocks_space_block ON address_blocks USING btree (space, masklen((block)::inet), block);

CREATE INDEX ix_asset_assignments_asset_id ON asset_assignments USING btree (asset_id);

CREATE INDEX ix_asset_assignments_created_at_id ON asset_assignments USING btree (created_at, id);

CREATE INDEX ix_asset_assignments_open_person ON asset_assignments USING btree (person_id) WHERE (returned_at IS NULL);

CREATE INDEX ix_asset_assignments_person_id ON asset_assignments USING btree (person_id);

CREATE INDEX ix_asset_categories_created_at_id ON asset_categories USING btree (created_at, id);

CREATE INDEX ix_asset_categories_name_order ON asset_categories USING btree (name COLLATE "C", id);

CREATE INDEX ix_assets_asset_tag_order ON assets USING btree (asset_tag COLLATE "C", id);

CREATE INDEX ix_assets_category_id ON assets USING btree (category_id);

CREATE INDEX ix_assets_created_at_id ON assets USING btree (created_at, id);

CREATE INDEX ix_assets_location_id ON assets USING btree (location_id);

CREATE INDEX ix_assets_manufacturer_id ON assets USING btree (manufacturer_id);

CREATE INDEX ix_assets_name_order ON assets USING btree (name COLLATE "C", id);

CREATE INDEX ix_assets_purchase_order_id ON assets USING btree (purchase_order_id);

CREATE INDEX ix_assets_serial_number_order ON assets USING btree (serial_number COLLATE "C", id);

CREATE INDEX ix_assets_site_id ON assets USING btree (site_id);

CREATE INDEX ix_assets_status_created_at_id ON assets USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_assets_warranty ON assets USING btree (warranty_until) WHERE (status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed'));

CREATE INDEX ix_calendar_feeds_created_at_id ON calendar_feeds USING btree (created_at, id);

CREATE INDEX ix_calendar_feeds_name_order ON calendar_feeds USING btree (name COLLATE "C", id);

CREATE INDEX ix_calendar_feeds_profile_id ON calendar_feeds USING btree (profile_id);

CREATE UNIQUE INDEX ix_calendar_feeds_secret_hash ON calendar_feeds USING btree (secret_hash);

CREATE INDEX ix_change_request_targets_asset_id ON change_request_targets USING btree (asset_id);

CREATE INDEX ix_change_request_targets_change_request_id ON change_request_targets USING btree (change_request_id);

CREATE INDEX ix_change_request_targets_cluster_id ON change_request_targets USING btree (cluster_id);

CREATE INDEX ix_change_request_targets_created_at_id ON change_request_targets USING btree (created_at, id);

CREATE INDEX ix_change_request_targets_device_id ON change_request_targets USING btree (device_id);

CREATE INDEX ix_change_request_targets_ip_address_id ON change_request_targets USING btree (ip_address_id);

CREATE INDEX ix_change_request_targets_location_id ON change_request_targets USING btree (location_id);

CREATE INDEX ix_change_request_targets_rack_id ON change_request_targets USING btree (rack_id);

CREATE INDEX ix_change_request_targets_record_id ON change_request_targets USING btree (record_id);

CREATE INDEX ix_change_request_targets_site_id ON change_request_targets USING btree (site_id);

CREATE INDEX ix_change_request_targets_software_licence_id ON change_request_targets USING btree (software_licence_id);

CREATE INDEX ix_change_request_targets_virtual_machine_id ON change_request_targets USING btree (virtual_machine_id);

CREATE INDEX ix_change_requests_created_at_id ON change_requests USING btree (created_at, id);

CREATE INDEX ix_change_requests_name_order ON change_requests USING btree (name COLLATE "C", id);

CREATE INDEX ix_change_requests_pending ON change_requests USING btree (scheduled_for) WHERE (status NOT IN ('completed', 'failed', 'cancelled', 'rejected'));

CREATE INDEX ix_change_requests_requested_by_id ON change_requests USING btree (requested_by_id);

CREATE INDEX ix_change_requests_scheduled_for ON change_requests USING btree (scheduled_for);

CREATE INDEX ix_change_requests_status_created_at_id ON change_requests USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_cluster_types_created_at_id ON cluster_types USING btree (created_at, id);

CREATE INDEX ix_cluster_types_name_order ON cluster_types USING btree (name COLLATE "C", id);

CREATE INDEX ix_clusters_cluster_type_id ON clusters USING btree (cluster_type_id);

CREATE INDEX ix_clusters_created_at_id ON clusters USING btree (created_at, id);

CREATE INDEX ix_clusters_name_order ON clusters USING btree (name COLLATE "C", id);

CREATE INDEX ix_clusters_site_id ON clusters USING btree (site_id);

CREATE INDEX ix_clusters_status_created_at_id ON clusters USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_contracts_contract_number_order ON contracts USING btree (contract_number COLLATE "C", id);

CREATE INDEX ix_contracts_created_at_id ON contracts USING btree (created_at, id);

CREATE INDEX ix_contracts_ending ON contracts USING btree (end_date) WHERE (status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed'));

CREATE INDEX ix_contracts_name_order ON contracts USING btree (name COLLATE "C", id);

CREATE INDEX ix_contracts_notice ON contracts USING btree (notice_date) WHERE (status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed'));

CREATE INDEX ix_contracts_status_created_at_id ON contracts USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_contracts_vendor_id ON contracts USING btree (vendor_id);

CREATE INDEX ix_device_ports_created_at_id ON device_ports USING btree (created_at, id);

CREATE INDEX ix_device_ports_device_id ON device_ports USING btree (device_id);

CREATE UNIQUE INDEX ix_device_ports_device_id_name ON device_ports USING btree (device_id, name);

CREATE INDEX ix_device_roles_created_at_id ON device_roles USING btree (created_at, id);

CREATE INDEX ix_device_roles_name_order ON device_roles USING btree (name COLLATE "C", id);

CREATE INDEX ix_device_type_modules_created_at_id ON device_type_modules USING btree (created_at, id);

CREATE INDEX ix_device_type_modules_device_type_id ON device_type_modules USING btree (device_type_id);

CREATE INDEX ix_device_type_ports_created_at_id ON device_type_ports USING btree (created_at, id);

CREATE INDEX ix_device_type_ports_device_type_id ON device_type_ports USING btree (device_type_id);

CREATE UNIQUE INDEX ix_device_type_ports_device_type_id_name ON device_type_ports USING btree (device_type_id, name);

CREATE INDEX ix_device_types_created_at_id ON device_types USING btree (created_at, id);

CREATE INDEX ix_device_types_manufacturer_id ON device_types USING btree (manufacturer_id);

CREATE INDEX ix_device_types_model_order ON device_types USING btree (model COLLATE "C", id);

CREATE INDEX ix_device_types_part_number_order ON device_types USING btree (part_number COLLATE "C", id);

CREATE INDEX ix_devices_asset_id ON devices USING btree (asset_id);

CREATE INDEX ix_devices_cluster_id ON devices USING btree (cluster_id);

CREATE INDEX ix_devices_created_at_id ON devices USING btree (created_at, id);

CREATE INDEX ix_devices_device_role_id ON devices USING btree (device_role_id);

CREATE INDEX ix_devices_device_type_id ON devices USING btree (device_type_id);

CREATE INDEX ix_devices_location_id ON devices USING btree (location_id);

CREATE INDEX ix_devices_name_order ON devices USING btree (name COLLATE "C", id);

CREATE INDEX ix_devices_platform_id ON devices USING btree (platform_id);

CREATE INDEX ix_devices_rack_id ON devices USING btree (rack_id);

CREATE INDEX ix_devices_serial_number_order ON devices USING btree (serial_number COLLATE "C", id);

CREATE INDEX ix_devices_site_id ON devices USING btree (site_id);

CREATE INDEX ix_devices_status_created_at_id ON devices USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_devices_tenant_group_id ON devices USING btree (tenant_group_id);

CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys USING btree (created_at);

CREATE INDEX ix_identities_profile_id ON identities USING btree (profile_id);

CREATE INDEX ix_incident_targets_asset_id ON incident_targets USING btree (asset_id);

CREATE INDEX ix_incident_targets_cluster_id ON incident_targets USING btree (cluster_id);

CREATE INDEX ix_incident_targets_created_at_id ON incident_targets USING btree (created_at, id);

CREATE INDEX ix_incident_targets_device_id ON incident_targets USING btree (device_id);

CREATE INDEX ix_incident_targets_incident_id ON incident_targets USING btree (incident_id);

CREATE INDEX ix_incident_targets_ip_address_id ON incident_targets USING btree (ip_address_id);

CREATE INDEX ix_incident_targets_location_id ON incident_targets USING btree (location_id);

CREATE INDEX ix_incident_targets_rack_id ON incident_targets USING btree (rack_id);

CREATE INDEX ix_incident_targets_record_id ON incident_targets USING btree (record_id);

CREATE INDEX ix_incident_targets_site_id ON incident_targets USING btree (site_id);

CREATE INDEX ix_incident_targets_software_licence_id ON incident_targets USING btree (software_licence_id);

CREATE INDEX ix_incident_targets_virtual_machine_id ON incident_targets USING btree (virtual_machine_id);

CREATE INDEX ix_incident_updates_created_at_id ON incident_updates USING btree (created_at, id);

CREATE INDEX ix_incident_updates_incident_id ON incident_updates USING btree (incident_id);

CREATE INDEX ix_incidents_assigned_to_id ON incidents USING btree (assigned_to_id);

CREATE INDEX ix_incidents_created_at_id ON incidents USING btree (created_at, id);

CREATE INDEX ix_incidents_name_order ON incidents USING btree (name COLLATE "C", id);

CREATE INDEX ix_incidents_open ON incidents USING btree (id) WHERE (COALESCE(status, 'open'::character varying) NOT IN ('resolved', 'closed'));

CREATE INDEX ix_incidents_status_created_at_id ON incidents USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_ip_addresses_address_order ON ip_addresses USING btree (set_masklen(address,
CASE family(address)
    WHEN 4 THEN 32
    ELSE 128
END), masklen(address), id);

CREATE INDEX ix_ip_addresses_address_within ON ip_addresses USING gist (address inet_ops);

CREATE INDEX ix_ip_addresses_created_at_id ON ip_addresses USING btree (created_at, id);

CREATE INDEX ix_ip_addresses_device_id ON ip_addresses USING btree (device_id);

CREATE INDEX ix_ip_addresses_dns_name_order ON ip_addresses USING btree (dns_name COLLATE "C", id);

CREATE INDEX ix_ip_addresses_interface_id ON ip_addresses USING btree (interface_id);

CREATE INDEX ix_ip_addresses_status_created_at_id ON ip_addresses USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_ip_addresses_vrf_id ON ip_addresses USING btree (vrf_id);

CREATE INDEX ix_known_issues_created_at_id ON known_issues USING btree (created_at, id);

CREATE INDEX ix_known_issues_name_order ON known_issues USING btree (name COLLATE "C", id);

CREATE INDEX ix_known_issues_status_created_at_id ON known_issues USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_known_issues_words ON known_issues USING gin (to_tsvector('english'::regconfig, (((name)::text || ' '::text) || COALESCE(description, ''::text))));

CREATE INDEX ix_locations_created_at_id ON locations USING btree (created_at, id);

CREATE INDEX ix_locations_facility_order ON locations USING btree (facility COLLATE "C", id);

CREATE INDEX ix_locations_name_order ON locations USING btree (name COLLATE "C", id);

CREATE INDEX ix_locations_parent_id ON locations USING btree (parent_id);

CREATE INDEX ix_locations_site_id ON locations USING btree (site_id);

CREATE INDEX ix_locations_status_created_at_id ON locations USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_maintenance_window_targets_asset_id ON maintenance_window_targets USING btree (asset_id);

CREATE INDEX ix_maintenance_window_targets_cluster_id ON maintenance_window_targets USING btree (cluster_id);

CREATE INDEX ix_maintenance_window_targets_created_at_id ON maintenance_window_targets USING btree (created_at, id);

CREATE INDEX ix_maintenance_window_targets_device_id ON maintenance_window_targets USING btree (device_id);

CREATE INDEX ix_maintenance_window_targets_ip_address_id ON maintenance_window_targets USING btree (ip_address_id);

CREATE INDEX ix_maintenance_window_targets_location_id ON maintenance_window_targets USING btree (location_id);

CREATE INDEX ix_maintenance_window_targets_maintenance_window_id ON maintenance_window_targets USING btree (maintenance_window_id);

CREATE INDEX ix_maintenance_window_targets_rack_id ON maintenance_window_targets USING btree (rack_id);

CREATE INDEX ix_maintenance_window_targets_record_id ON maintenance_window_targets USING btree (record_id);

CREATE INDEX ix_maintenance_window_targets_site_id ON maintenance_window_targets USING btree (site_id);

CREATE INDEX ix_maintenance_window_targets_software_licence_id ON maintenance_window_targets USING btree (software_licence_id);

CREATE INDEX ix_maintenance_window_targets_virtual_machine_id ON maintenance_window_targets USING btree (virtual_machine_id);

CREATE INDEX ix_maintenance_windows_created_at_id ON maintenance_windows USING btree (created_at, id);

CREATE INDEX ix_maintenance_windows_hours ON maintenance_windows USING gist (tstzrange(start_time, end_time));

CREATE INDEX ix_maintenance_windows_name_order ON maintenance_windows USING btree (name COLLATE "C", id);

CREATE INDEX ix_maintenance_windows_pending ON maintenance_windows USING gist (tstzrange(start_time, end_time)) WHERE (status NOT IN ('completed', 'cancelled'));

CREATE INDEX ix_maintenance_windows_status_created_at_id ON maintenance_windows USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_manufacturers_created_at_id ON manufacturers USING btree (created_at, id);

CREATE INDEX ix_manufacturers_name_order ON manufacturers USING btree (name COLLATE "C", id);

CREATE INDEX ix_on_call_schedules_created_at_id ON on_call_schedules USING btree (created_at, id);

CREATE INDEX ix_on_call_schedules_end ON on_call_schedules USING btree (end_time) INCLUDE (rotation, name);

CREATE INDEX ix_on_call_schedules_hours ON on_call_schedules USING gist (tstzrange(start_time, end_time));

CREATE INDEX ix_on_call_schedules_name_order ON on_call_schedules USING btree (name COLLATE "C", id);

CREATE INDEX ix_on_call_schedules_person_id ON on_call_schedules USING btree (person_id);

CREATE INDEX ix_on_call_schedules_roster ON on_call_schedules USING btree (COALESCE(rotation, name), start_time, id);

CREATE INDEX ix_people_created_at_id ON people USING btree (created_at, id);

CREATE INDEX ix_people_email_order ON people USING btree (email COLLATE "C", id);

CREATE INDEX ix_people_full_name_order ON people USING btree (full_name COLLATE "C", id);

CREATE UNIQUE INDEX ix_people_profile_id ON people USING btree (profile_id);

CREATE INDEX ix_people_site_id ON people USING btree (site_id);

CREATE INDEX ix_people_status_created_at_id ON people USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_platforms_created_at_id ON platforms USING btree (created_at, id);

CREATE INDEX ix_platforms_manufacturer_id ON platforms USING btree (manufacturer_id);

CREATE INDEX ix_platforms_name_order ON platforms USING btree (name COLLATE "C", id);

CREATE INDEX ix_prefixes_created_at_id ON prefixes USING btree (created_at, id);

CREATE INDEX ix_prefixes_prefix_order ON prefixes USING btree (prefix, id);

CREATE INDEX ix_prefixes_prefix_within ON prefixes USING gist (prefix inet_ops);

CREATE INDEX ix_prefixes_site_id ON prefixes USING btree (site_id);

CREATE INDEX ix_prefixes_status_created_at_id ON prefixes USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_prefixes_tenant_group_id ON prefixes USING btree (tenant_group_id);

CREATE INDEX ix_prefixes_vlan_id ON prefixes USING btree (vlan_id);

CREATE INDEX ix_prefixes_vrf_id ON prefixes USING btree (vrf_id);

CREATE INDEX ix_profiles_created_at_id ON profiles USING btree (created_at, id);

CREATE INDEX ix_profiles_email_order ON profiles USING btree (email COLLATE "C", id);

CREATE INDEX ix_purchase_order_items_category_id ON purchase_order_items USING btree (category_id);

CREATE INDEX ix_purchase_order_items_created_at_id ON purchase_order_items USING btree (created_at, id);

CREATE INDEX ix_purchase_order_items_manufacturer_id ON purchase_order_items USING btree (manufacturer_id);

CREATE INDEX ix_purchase_order_items_purchase_order_id ON purchase_order_items USING btree (purchase_order_id);

CREATE INDEX ix_purchase_orders_created_at_id ON purchase_orders USING btree (created_at, id);

CREATE INDEX ix_purchase_orders_due ON purchase_orders USING btree (expected_date) WHERE (status IN ('ordered', 'partially_received'));

CREATE INDEX ix_purchase_orders_location_id ON purchase_orders USING btree (location_id);

CREATE UNIQUE INDEX ix_purchase_orders_order_number ON purchase_orders USING btree (order_number);

CREATE INDEX ix_purchase_orders_order_number_order ON purchase_orders USING btree (order_number COLLATE "C", id);

CREATE INDEX ix_purchase_orders_requested_by_id ON purchase_orders USING btree (requested_by_id);

CREATE INDEX ix_purchase_orders_site_id ON purchase_orders USING btree (site_id);

CREATE INDEX ix_purchase_orders_status_created_at_id ON purchase_orders USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_purchase_orders_supplier_reference_order ON purchase_orders USING btree (supplier_reference COLLATE "C", id);

CREATE INDEX ix_purchase_orders_vendor_id ON purchase_orders USING btree (vendor_id);

CREATE INDEX ix_racks_created_at_id ON racks USING btree (created_at, id);

CREATE INDEX ix_racks_location_id ON racks USING btree (location_id);

CREATE INDEX ix_racks_name_order ON racks USING btree (name COLLATE "C", id);

CREATE INDEX ix_racks_site_id ON racks USING btree (site_id);

CREATE INDEX ix_racks_status_created_at_id ON racks USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_receipts_created_at_id ON receipts USING btree (created_at, id);

CREATE INDEX ix_receipts_purchase_order_id ON receipts USING btree (purchase_order_id);

CREATE INDEX ix_record_counts_table_name ON record_counts USING btree (table_name);

CREATE INDEX ix_renewals_contract_id ON renewals USING btree (contract_id);

CREATE INDEX ix_renewals_created_at_id ON renewals USING btree (created_at, id);

CREATE INDEX ix_renewals_due ON renewals USING btree (renewal_date) WHERE ((status IS NULL) OR (status NOT IN ('retired', 'expired', 'renewed', 'cancelled', 'lapsed', 'terminated', 'closed', 'disposed')));

CREATE INDEX ix_renewals_name_order ON renewals USING btree (name COLLATE "C", id);

CREATE INDEX ix_renewals_status_created_at_id ON renewals USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_renewals_vendor_id ON renewals USING btree (vendor_id);

CREATE INDEX ix_runbooks_created_at_id ON runbooks USING btree (created_at, id);

CREATE INDEX ix_runbooks_name_order ON runbooks USING btree (name COLLATE "C", id);

CREATE INDEX ix_runbooks_owner_id ON runbooks USING btree (owner_id);

CREATE INDEX ix_runbooks_words ON runbooks USING gin (to_tsvector('english'::regconfig, (((name)::text || ' '::text) || COALESCE(description, ''::text))));

CREATE INDEX ix_sessions_created_at_id ON sessions USING btree (created_at, id);

CREATE INDEX ix_sessions_profile_id ON sessions USING btree (profile_id);

CREATE UNIQUE INDEX ix_sessions_token_hash ON sessions USING btree (token_hash);

CREATE INDEX ix_sites_created_at_id ON sites USING btree (created_at, id);

CREATE INDEX ix_sites_facility_order ON sites USING btree (facility COLLATE "C", id);

CREATE INDEX ix_sites_name_order ON sites USING btree (name COLLATE "C", id);

CREATE INDEX ix_sites_status_created_at_id ON sites USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_slas_created_at_id ON slas USING btree (created_at, id);

CREATE INDEX ix_slas_name_order ON slas USING btree (name COLLATE "C", id);

CREATE INDEX ix_slas_vendor_id ON slas USING btree (vendor_id);

CREATE INDEX ix_software_licences_created_at_id ON software_licences USING btree (created_at, id);

CREATE INDEX ix_software_licences_expiring ON software_licences USING btree (expiry_date) WHERE ((status IS NULL) OR (status NOT IN ('retired', 'expired')));

CREATE INDEX ix_software_licences_name_order ON software_licences USING btree (name COLLATE "C", id);

CREATE INDEX ix_software_licences_product_order ON software_licences USING btree (product COLLATE "C", id);

CREATE INDEX ix_software_licences_status_created_at_id ON software_licences USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_software_licences_vendor_id ON software_licences USING btree (vendor_id);

CREATE INDEX ix_tenant_groups_created_at_id ON tenant_groups USING btree (created_at, id);

CREATE INDEX ix_tenant_groups_name_order ON tenant_groups USING btree (name COLLATE "C", id);

CREATE INDEX ix_tokens_created_at_id ON tokens USING btree (created_at, id);

CREATE INDEX ix_tokens_name_order ON tokens USING btree (name COLLATE "C", id);

CREATE UNIQUE INDEX ix_tokens_prefix ON tokens USING btree (prefix);

CREATE INDEX ix_tokens_profile_id ON tokens USING btree (profile_id);

CREATE INDEX ix_value_counts_value ON value_counts USING btree (table_name, column_name, value);

CREATE INDEX ix_vendors_account_manager_order ON vendors USING btree (account_manager COLLATE "C", id);

CREATE INDEX ix_vendors_created_at_id ON vendors USING btree (created_at, id);

CREATE INDEX ix_vendors_name_order ON vendors USING btree (name COLLATE "C", id);

CREATE INDEX ix_vendors_status_created_at_id ON vendors USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_virtual_machines_cluster_id ON virtual_machines USING btree (cluster_id);

CREATE INDEX ix_virtual_machines_created_at_id ON virtual_machines USING btree (created_at, id);

CREATE INDEX ix_virtual_machines_name_order ON virtual_machines USING btree (name COLLATE "C", id);

CREATE INDEX ix_virtual_machines_platform_id ON virtual_machines USING btree (platform_id);

CREATE INDEX ix_virtual_machines_status_created_at_id ON virtual_machines USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_vlan_groups_created_at_id ON vlan_groups USING btree (created_at, id);

CREATE INDEX ix_vlan_groups_name_order ON vlan_groups USING btree (name COLLATE "C", id);

CREATE INDEX ix_vlan_groups_site_id ON vlan_groups USING btree (site_id);

CREATE INDEX ix_vlans_created_at_id ON vlans USING btree (created_at, id);

CREATE INDEX ix_vlans_name_order ON vlans USING btree (name COLLATE "C", id);

CREATE INDEX ix_vlans_site_id ON vlans USING btree (site_id);

CREATE INDEX ix_vlans_status_created_at_id ON vlans USING btree (status COLLATE "C", created_at, id);

CREATE INDEX ix_vlans_tenant_group_id ON vlans USING btree (tenant_group_id);

CREATE INDEX ix_vlans_vlan_group_id ON vlans USING btree (vlan_group_id);

CREATE UNIQUE INDEX ix_vlans_vlan_group_id_vid ON vlans USING btree (vlan_group_id, vid);

CREATE INDEX ix_vrfs_created_at_id ON vrfs USING btree (created_at, id);

CREATE INDEX ix_vrfs_name_order ON vrfs USING btree (name COLLATE "C", id);

CREATE INDEX ix_vrfs_route_distinguisher_order ON vrfs USING btree (route_distinguisher COLLATE "C", id);

CREATE UNIQUE INDEX uq_asset_assignments_open ON asset_assignments USING btree (asset_id) WHERE (returned_at IS NULL);

CREATE UNIQUE INDEX uq_change_request_targets_record ON change_request_targets USING btree (change_request_id, resource, record_id);

CREATE UNIQUE INDEX uq_incident_targets_record ON incident_targets USING btree (incident_id, resource, record_id);

CREATE UNIQUE INDEX uq_maintenance_window_targets_record ON maintenance_window_targets USING btree (maintenance_window_id, resource, record_id);

CREATE UNIQUE INDEX uq_people_email ON people USING btree (lower((email)::text));

CREATE UNIQUE INDEX uq_prefixes_space ON prefixes USING btree (COALESCE(vrf_id, '00000000-0000-0000-0000-000000000000'::uuid), prefix);

CREATE UNIQUE INDEX uq_profiles_email ON profiles USING btree (lower((email)::text));

ALTER INDEX ix_change_log_actor_id_created_at ATTACH PARTITION change_log_default_actor_id_created_at_idx;

ALTER INDEX ix_change_log_created_at_id ATTACH PARTITION change_log_default_created_at_id_idx;

ALTER INDEX pk_change_log ATTACH PARTITION change_log_default_pkey;

ALTER INDEX ix_change_log_record_id_id ATTACH PARTITION change_log_default_record_id_id_idx;

ALTER INDEX ix_change_log_request_id ATTACH PARTITION change_log_default_request_id_idx;

ALTER INDEX ix_change_log_token_id_created_at ATTACH PARTITION change_log_default_token_id_created_at_idx;

ALTER TABLE ONLY asset_assignments
    ADD CONSTRAINT fk_asset_assignments_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE;

ALTER TABLE ONLY asset_assignments
    ADD CONSTRAINT fk_asset_assignments_person_id FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE SET NULL;

ALTER TABLE ONLY assets
    ADD CONSTRAINT fk_assets_category_id FOREIGN KEY (category_id) REFERENCES asset_categories(id) ON DELETE SET NULL;

ALTER TABLE ONLY assets
    ADD CONSTRAINT fk_assets_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE SET NULL;

ALTER TABLE ONLY assets
    ADD CONSTRAINT fk_assets_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers(id) ON DELETE SET NULL;

ALTER TABLE ONLY assets
    ADD CONSTRAINT fk_assets_purchase_order_id FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders(id) ON DELETE SET NULL;

ALTER TABLE ONLY assets
    ADD CONSTRAINT fk_assets_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY calendar_events
    ADD CONSTRAINT fk_calendar_events_feed_id FOREIGN KEY (feed_id) REFERENCES calendar_feeds(id) ON DELETE CASCADE;

ALTER TABLE ONLY calendar_feeds
    ADD CONSTRAINT fk_calendar_feeds_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_change_request_id FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_request_targets
    ADD CONSTRAINT fk_change_request_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_requests
    ADD CONSTRAINT fk_change_requests_requested_by_id FOREIGN KEY (requested_by_id) REFERENCES people(id) ON DELETE SET NULL;

ALTER TABLE ONLY clusters
    ADD CONSTRAINT fk_clusters_cluster_type_id FOREIGN KEY (cluster_type_id) REFERENCES cluster_types(id) ON DELETE SET NULL;

ALTER TABLE ONLY clusters
    ADD CONSTRAINT fk_clusters_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY contracts
    ADD CONSTRAINT fk_contracts_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors(id) ON DELETE SET NULL;

ALTER TABLE ONLY device_ports
    ADD CONSTRAINT fk_device_ports_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY device_type_modules
    ADD CONSTRAINT fk_device_type_modules_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types(id) ON DELETE CASCADE;

ALTER TABLE ONLY device_type_ports
    ADD CONSTRAINT fk_device_type_ports_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types(id) ON DELETE CASCADE;

ALTER TABLE ONLY device_types
    ADD CONSTRAINT fk_device_types_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_device_role_id FOREIGN KEY (device_role_id) REFERENCES device_roles(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_device_type_id FOREIGN KEY (device_type_id) REFERENCES device_types(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_platform_id FOREIGN KEY (platform_id) REFERENCES platforms(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_rack_id FOREIGN KEY (rack_id) REFERENCES racks(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY devices
    ADD CONSTRAINT fk_devices_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups(id) ON DELETE SET NULL;

ALTER TABLE ONLY identities
    ADD CONSTRAINT fk_identities_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_incident_id FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_targets
    ADD CONSTRAINT fk_incident_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines(id) ON DELETE CASCADE;

ALTER TABLE ONLY incident_updates
    ADD CONSTRAINT fk_incident_updates_incident_id FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE CASCADE;

ALTER TABLE ONLY incidents
    ADD CONSTRAINT fk_incidents_assigned_to_id FOREIGN KEY (assigned_to_id) REFERENCES people(id) ON DELETE SET NULL;

ALTER TABLE ONLY ip_addresses
    ADD CONSTRAINT fk_ip_addresses_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE SET NULL;

ALTER TABLE ONLY ip_addresses
    ADD CONSTRAINT fk_ip_addresses_interface_id FOREIGN KEY (interface_id) REFERENCES device_ports(id) ON DELETE SET NULL;

ALTER TABLE ONLY ip_addresses
    ADD CONSTRAINT fk_ip_addresses_vrf_id FOREIGN KEY (vrf_id) REFERENCES vrfs(id) ON DELETE SET NULL;

ALTER TABLE ONLY locations
    ADD CONSTRAINT fk_locations_parent_id FOREIGN KEY (parent_id) REFERENCES locations(id) ON DELETE SET NULL;

ALTER TABLE ONLY locations
    ADD CONSTRAINT fk_locations_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_asset_id FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_ip_address_id FOREIGN KEY (ip_address_id) REFERENCES ip_addresses(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_maintenance_window_id FOREIGN KEY (maintenance_window_id) REFERENCES maintenance_windows(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_rack_id FOREIGN KEY (rack_id) REFERENCES racks(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_software_licence_id FOREIGN KEY (software_licence_id) REFERENCES software_licences(id) ON DELETE CASCADE;

ALTER TABLE ONLY maintenance_window_targets
    ADD CONSTRAINT fk_maintenance_window_targets_virtual_machine_id FOREIGN KEY (virtual_machine_id) REFERENCES virtual_machines(id) ON DELETE CASCADE;

ALTER TABLE ONLY on_call_schedules
    ADD CONSTRAINT fk_on_call_schedules_person_id FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE SET NULL;

ALTER TABLE ONLY people
    ADD CONSTRAINT fk_people_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL;

ALTER TABLE ONLY people
    ADD CONSTRAINT fk_people_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY platforms
    ADD CONSTRAINT fk_platforms_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers(id) ON DELETE SET NULL;

ALTER TABLE ONLY prefixes
    ADD CONSTRAINT fk_prefixes_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY prefixes
    ADD CONSTRAINT fk_prefixes_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups(id) ON DELETE SET NULL;

ALTER TABLE ONLY prefixes
    ADD CONSTRAINT fk_prefixes_vlan_id FOREIGN KEY (vlan_id) REFERENCES vlans(id) ON DELETE SET NULL;

ALTER TABLE ONLY prefixes
    ADD CONSTRAINT fk_prefixes_vrf_id FOREIGN KEY (vrf_id) REFERENCES vrfs(id) ON DELETE SET NULL;

ALTER TABLE ONLY purchase_order_items
    ADD CONSTRAINT fk_purchase_order_items_category_id FOREIGN KEY (category_id) REFERENCES asset_categories(id) ON DELETE SET NULL;

ALTER TABLE ONLY purchase_order_items
    ADD CONSTRAINT fk_purchase_order_items_manufacturer_id FOREIGN KEY (manufacturer_id) REFERENCES manufacturers(id) ON DELETE SET NULL;

ALTER TABLE ONLY purchase_order_items
    ADD CONSTRAINT fk_purchase_order_items_purchase_order_id FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders(id) ON DELETE CASCADE;

ALTER TABLE ONLY purchase_orders
    ADD CONSTRAINT fk_purchase_orders_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE SET NULL;

ALTER TABLE ONLY purchase_orders
    ADD CONSTRAINT fk_purchase_orders_requested_by_id FOREIGN KEY (requested_by_id) REFERENCES people(id) ON DELETE SET NULL;

ALTER TABLE ONLY purchase_orders
    ADD CONSTRAINT fk_purchase_orders_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY purchase_orders
    ADD CONSTRAINT fk_purchase_orders_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors(id) ON DELETE SET NULL;

ALTER TABLE ONLY rack_placements
    ADD CONSTRAINT fk_rack_placements_device_id FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY racks
    ADD CONSTRAINT fk_racks_location_id FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE SET NULL;

ALTER TABLE ONLY racks
    ADD CONSTRAINT fk_racks_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY receipts
    ADD CONSTRAINT fk_receipts_purchase_order_id FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders(id) ON DELETE CASCADE;

ALTER TABLE ONLY renewals
    ADD CONSTRAINT fk_renewals_contract_id FOREIGN KEY (contract_id) REFERENCES contracts(id) ON DELETE SET NULL;

ALTER TABLE ONLY renewals
    ADD CONSTRAINT fk_renewals_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors(id) ON DELETE SET NULL;

ALTER TABLE ONLY runbooks
    ADD CONSTRAINT fk_runbooks_owner_id FOREIGN KEY (owner_id) REFERENCES people(id) ON DELETE SET NULL;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT fk_sessions_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE CASCADE;

ALTER TABLE ONLY slas
    ADD CONSTRAINT fk_slas_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors(id) ON DELETE SET NULL;

ALTER TABLE ONLY software_licences
    ADD CONSTRAINT fk_software_licences_vendor_id FOREIGN KEY (vendor_id) REFERENCES vendors(id) ON DELETE SET NULL;

ALTER TABLE ONLY tokens
    ADD CONSTRAINT fk_tokens_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE CASCADE;

ALTER TABLE ONLY virtual_machines
    ADD CONSTRAINT fk_virtual_machines_cluster_id FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE SET NULL;

ALTER TABLE ONLY virtual_machines
    ADD CONSTRAINT fk_virtual_machines_platform_id FOREIGN KEY (platform_id) REFERENCES platforms(id) ON DELETE SET NULL;

ALTER TABLE ONLY vlan_groups
    ADD CONSTRAINT fk_vlan_groups_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY vlans
    ADD CONSTRAINT fk_vlans_site_id FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE SET NULL;

ALTER TABLE ONLY vlans
    ADD CONSTRAINT fk_vlans_tenant_group_id FOREIGN KEY (tenant_group_id) REFERENCES tenant_groups(id) ON DELETE SET NULL;

ALTER TABLE ONLY vlans
    ADD CONSTRAINT fk_vlans_vlan_group_id FOREIGN KEY (vlan_group_id) REFERENCES vlan_groups(id) ON DELETE SET NULL;
