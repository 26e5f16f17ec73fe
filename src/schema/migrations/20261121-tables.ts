import { MigrationInterface, QueryRunner } from 'typeorm';

export class Tables1795219200000 implements MigrationInterface {
  name = 'Tables1795219200000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "login_throttles" (
                "key" text NOT NULL,
                "attempts" integer NOT NULL,
                "window_ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "pk_login_throttles" PRIMARY KEY ("key")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "profiles" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "email" character varying(255) NOT NULL,
                "role" character varying(32) NOT NULL DEFAULT 'viewer',
                "areas" text array NOT NULL DEFAULT '{operations,network,procurement,people}',
                "is_active" boolean NOT NULL DEFAULT true,
                "password_hash" text NOT NULL,
                CONSTRAINT "ck_role" CHECK (
                    "role" IN ('viewer', 'editor', 'manager', 'admin')
                ),
                CONSTRAINT "pk_profiles" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_profiles_created_at_id" ON "profiles" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "sessions" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "profile_id" uuid NOT NULL,
                "last_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "remote_address" character varying(255),
                "user_agent" character varying(255),
                "token_hash" bytea NOT NULL,
                CONSTRAINT "pk_sessions" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_sessions_created_at_id" ON "sessions" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_sessions_profile_id" ON "sessions" ("profile_id")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "ix_sessions_token_hash" ON "sessions" ("token_hash")
        `);
    await queryRunner.query(`
            CREATE TABLE "idempotency_keys" (
                "profile_id" uuid NOT NULL,
                "route" text NOT NULL,
                "key" character varying(255) NOT NULL,
                "body_digest" text NOT NULL,
                "answer" text NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "pk_idempotency_keys" PRIMARY KEY ("profile_id", "route", "key")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_idempotency_keys_created_at" ON "idempotency_keys" ("created_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "cluster_types" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "description" text,
                CONSTRAINT "pk_cluster_types" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_cluster_types_created_at_id" ON "cluster_types" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "sites" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "status" character varying(255) NOT NULL DEFAULT 'active',
                "facility" character varying(255),
                "physical_address" text,
                "time_zone" character varying(255),
                "latitude" double precision,
                "longitude" double precision,
                "description" text,
                CONSTRAINT "ck_latitude" CHECK (
                    "latitude" >= -90
                    AND "latitude" <= 90
                ),
                CONSTRAINT "ck_longitude" CHECK (
                    "longitude" >= -180
                    AND "longitude" <= 180
                ),
                CONSTRAINT "pk_sites" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_sites_created_at_id" ON "sites" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "clusters" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "cluster_type_id" uuid,
                "site_id" uuid,
                "status" character varying(255) NOT NULL DEFAULT 'active',
                "description" text,
                CONSTRAINT "pk_clusters" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_clusters_created_at_id" ON "clusters" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_clusters_cluster_type_id" ON "clusters" ("cluster_type_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_clusters_site_id" ON "clusters" ("site_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "tenant_groups" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "description" text,
                CONSTRAINT "pk_tenant_groups" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_tenant_groups_created_at_id" ON "tenant_groups" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "locations" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "site_id" uuid,
                "parent_id" uuid,
                "status" character varying(255) NOT NULL DEFAULT 'active',
                "facility" character varying(255),
                "description" text,
                CONSTRAINT "pk_locations" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_locations_created_at_id" ON "locations" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_locations_site_id" ON "locations" ("site_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_locations_parent_id" ON "locations" ("parent_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "asset_categories" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "description" text,
                CONSTRAINT "pk_asset_categories" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_asset_categories_created_at_id" ON "asset_categories" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "manufacturers" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "website" character varying(255),
                "support_url" character varying(255),
                "support_email" character varying(255),
                "support_phone" character varying(255),
                "description" text,
                CONSTRAINT "pk_manufacturers" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_manufacturers_created_at_id" ON "manufacturers" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "people" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "full_name" character varying(255) NOT NULL,
                "email" character varying(255),
                "phone" character varying(255),
                "job_title" character varying(255),
                "department" character varying(255),
                "employee_id" character varying(255),
                "site_id" uuid,
                "profile_id" uuid,
                "status" character varying(255) NOT NULL DEFAULT 'active',
                "start_date" date,
                "notes" text,
                CONSTRAINT "pk_people" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_people_created_at_id" ON "people" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_people_site_id" ON "people" ("site_id")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "ix_people_profile_id" ON "people" ("profile_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "vendors" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "account_manager" character varying(255),
                "email" character varying(255),
                "phone" character varying(255),
                "website" character varying(255),
                "status" character varying(255),
                "description" text,
                CONSTRAINT "pk_vendors" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_vendors_created_at_id" ON "vendors" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "purchase_order_items" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "purchase_order_id" uuid NOT NULL,
                "name" character varying(255) NOT NULL,
                "sku" character varying(255),
                "quantity" integer NOT NULL,
                "quantity_received" integer NOT NULL DEFAULT '0',
                "unit_price" numeric(10, 2),
                "category_id" uuid,
                "manufacturer_id" uuid,
                "warranty_months" integer,
                "notes" text,
                "sort_order" integer,
                "position" integer NOT NULL,
                CONSTRAINT "ck_quantity" CHECK (
                    "quantity" >= 1
                    AND "quantity" <= 1000000
                ),
                CONSTRAINT "ck_quantity_received" CHECK ("quantity_received" >= 0),
                CONSTRAINT "ck_warranty_months" CHECK (
                    "warranty_months" >= 0
                    AND "warranty_months" <= 1200
                ),
                CONSTRAINT "ck_purchase_order_items_quantity_received" CHECK ("quantity_received" <= "quantity"),
                CONSTRAINT "pk_purchase_order_items" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_order_items_created_at_id" ON "purchase_order_items" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_order_items_purchase_order_id" ON "purchase_order_items" ("purchase_order_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_order_items_category_id" ON "purchase_order_items" ("category_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_order_items_manufacturer_id" ON "purchase_order_items" ("manufacturer_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "purchase_orders" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "order_number" character varying(255) NOT NULL,
                "vendor_id" uuid,
                "status" character varying(32) NOT NULL DEFAULT 'ordered',
                "order_date" date,
                "expected_date" date,
                "received_date" date,
                "currency" character varying(3) NOT NULL DEFAULT 'USD',
                "supplier_reference" character varying(255),
                "requested_by_id" uuid,
                "site_id" uuid,
                "location_id" uuid,
                "notes" text,
                CONSTRAINT "ck_status" CHECK (
                    "status" IN (
                        'draft',
                        'ordered',
                        'partially_received',
                        'received',
                        'closed',
                        'cancelled'
                    )
                ),
                CONSTRAINT "pk_purchase_orders" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_orders_created_at_id" ON "purchase_orders" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "ix_purchase_orders_order_number" ON "purchase_orders" ("order_number")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_orders_vendor_id" ON "purchase_orders" ("vendor_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_orders_requested_by_id" ON "purchase_orders" ("requested_by_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_orders_site_id" ON "purchase_orders" ("site_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_purchase_orders_location_id" ON "purchase_orders" ("location_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "assets" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "asset_tag" character varying(255),
                "serial_number" character varying(255),
                "status" character varying(255) NOT NULL DEFAULT 'in_stock',
                "condition" character varying(255),
                "category_id" uuid,
                "manufacturer_id" uuid,
                "site_id" uuid,
                "location_id" uuid,
                "purchase_order_id" uuid,
                "purchased_at" TIMESTAMP(3) WITH TIME ZONE,
                "warranty_until" TIMESTAMP(3) WITH TIME ZONE,
                "purchase_price" numeric(10, 2),
                "notes" text,
                CONSTRAINT "pk_assets" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_assets_created_at_id" ON "assets" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_assets_category_id" ON "assets" ("category_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_assets_manufacturer_id" ON "assets" ("manufacturer_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_assets_site_id" ON "assets" ("site_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_assets_location_id" ON "assets" ("location_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_assets_purchase_order_id" ON "assets" ("purchase_order_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "device_roles" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "color" character varying(255) NOT NULL DEFAULT '#4F6EF7',
                "description" text,
                "tier" character varying(32),
                "redundancy" character varying(32),
                "compliance_baselines" text array NOT NULL DEFAULT '{}',
                "vm_role" boolean NOT NULL DEFAULT false,
                "typical_location" character varying(255),
                "responsibilities" text,
                "popular" boolean NOT NULL DEFAULT false,
                "source" character varying(32) NOT NULL DEFAULT 'customer',
                CONSTRAINT "ck_tier" CHECK (
                    "tier" IN (
                        'access',
                        'distribution',
                        'core',
                        'spine',
                        'leaf',
                        'border-leaf',
                        'ai-fabric',
                        'edge',
                        'sp-edge',
                        'sp-core',
                        'customer-edge',
                        'branch',
                        'security',
                        'wireless',
                        'storage',
                        'compute',
                        'mgmt',
                        'optical',
                        'dci',
                        'passive',
                        'monitoring'
                    )
                ),
                CONSTRAINT "ck_redundancy" CHECK (
                    "redundancy" IN ('optional', 'recommended', 'required')
                ),
                CONSTRAINT "ck_source" CHECK ("source" IN ('vendor', 'customer')),
                CONSTRAINT "pk_device_roles" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_device_roles_created_at_id" ON "device_roles" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "device_types" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "model" character varying(255) NOT NULL,
                "manufacturer_id" uuid,
                "slug" character varying(255),
                "part_number" character varying(255),
                "u_height" double precision,
                "is_full_depth" boolean NOT NULL DEFAULT true,
                "description" text,
                "source" character varying(32) NOT NULL DEFAULT 'customer',
                CONSTRAINT "ck_u_height" CHECK (
                    "u_height" >= 0
                    AND "u_height" <= 1000
                ),
                CONSTRAINT "ck_source" CHECK ("source" IN ('vendor', 'customer')),
                CONSTRAINT "pk_device_types" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_device_types_created_at_id" ON "device_types" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_device_types_manufacturer_id" ON "device_types" ("manufacturer_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "platforms" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "slug" character varying(255),
                "manufacturer_id" uuid,
                "description" text,
                "nos_family" character varying(255),
                "typical_devices" text,
                "key_features" text,
                "common_use_cases" text,
                "commercial_status" character varying(32),
                "automation_apis" text array NOT NULL DEFAULT '{}',
                "popular" boolean NOT NULL DEFAULT false,
                "source" character varying(32) NOT NULL DEFAULT 'customer',
                CONSTRAINT "ck_commercial_status" CHECK (
                    "commercial_status" IN ('active', 'eos', 'eol', 'limited', 'open-source')
                ),
                CONSTRAINT "ck_source" CHECK ("source" IN ('vendor', 'customer')),
                CONSTRAINT "pk_platforms" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_platforms_created_at_id" ON "platforms" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_platforms_manufacturer_id" ON "platforms" ("manufacturer_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "racks" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "site_id" uuid,
                "location_id" uuid,
                "units" integer,
                "status" character varying(255) NOT NULL DEFAULT 'active',
                CONSTRAINT "ck_units" CHECK ("units" >= 0),
                CONSTRAINT "pk_racks" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_racks_created_at_id" ON "racks" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_racks_site_id" ON "racks" ("site_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_racks_location_id" ON "racks" ("location_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "devices" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "device_type_id" uuid,
                "device_role_id" uuid,
                "platform_id" uuid,
                "site_id" uuid,
                "location_id" uuid,
                "rack_id" uuid,
                "rack_position" double precision,
                "rack_face" character varying(32),
                "cluster_id" uuid,
                "tenant_group_id" uuid,
                "asset_id" uuid,
                "status" character varying(255) NOT NULL DEFAULT 'active',
                "serial_number" character varying(255),
                "description" text,
                CONSTRAINT "ck_rack_position" CHECK (
                    "rack_position" >= 0
                    AND "rack_position" <= 1000
                ),
                CONSTRAINT "ck_rack_face" CHECK ("rack_face" IN ('front', 'rear')),
                CONSTRAINT "pk_devices" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_created_at_id" ON "devices" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_device_type_id" ON "devices" ("device_type_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_device_role_id" ON "devices" ("device_role_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_platform_id" ON "devices" ("platform_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_site_id" ON "devices" ("site_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_location_id" ON "devices" ("location_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_rack_id" ON "devices" ("rack_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_cluster_id" ON "devices" ("cluster_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_tenant_group_id" ON "devices" ("tenant_group_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_devices_asset_id" ON "devices" ("asset_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "device_ports" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "device_id" uuid NOT NULL,
                "name" character varying(255) NOT NULL,
                "label" character varying(255),
                "type" character varying(255),
                "enabled" boolean NOT NULL DEFAULT true,
                "mac_address" character varying(255),
                "mtu" integer,
                "speed_mbps" integer,
                "mgmt_only" boolean NOT NULL DEFAULT false,
                "description" text,
                CONSTRAINT "ck_mtu" CHECK ("mtu" >= 0),
                CONSTRAINT "ck_speed_mbps" CHECK ("speed_mbps" >= 0),
                CONSTRAINT "pk_device_ports" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_device_ports_created_at_id" ON "device_ports" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_device_ports_device_id" ON "device_ports" ("device_id")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "ix_device_ports_device_id_name" ON "device_ports" ("device_id", "name")
        `);
    await queryRunner.query(`
            CREATE TABLE "device_type_modules" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "device_type_id" uuid NOT NULL,
                "sku" character varying(255) NOT NULL,
                "name" character varying(255) NOT NULL,
                "description" text,
                "slot_label" character varying(255),
                "connector_type" character varying(255),
                "speeds" text array NOT NULL DEFAULT '{}',
                "port_count" integer,
                "poe_standard" character varying(255),
                "poe_watts" integer,
                "notes" text,
                "sort_order" integer,
                "source" character varying(255) NOT NULL DEFAULT 'customer',
                CONSTRAINT "ck_port_count" CHECK ("port_count" >= 0),
                CONSTRAINT "ck_poe_watts" CHECK ("poe_watts" >= 0),
                CONSTRAINT "pk_device_type_modules" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_device_type_modules_created_at_id" ON "device_type_modules" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_device_type_modules_device_type_id" ON "device_type_modules" ("device_type_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "vrfs" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "route_distinguisher" character varying(255),
                "description" text,
                CONSTRAINT "pk_vrfs" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_vrfs_created_at_id" ON "vrfs" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "ip_addresses" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "address" inet NOT NULL,
                "vrf_id" uuid,
                "device_id" uuid,
                "interface_id" uuid,
                "status" character varying(255) NOT NULL DEFAULT 'active',
                "role" character varying(255),
                "family" integer NOT NULL,
                "dns_name" character varying(255),
                "description" text,
                CONSTRAINT "ck_family" CHECK (
                    "family" >= 4
                    AND "family" <= 6
                ),
                CONSTRAINT "ck_ip_addresses_family" CHECK (family = family(address)),
                CONSTRAINT "pk_ip_addresses" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_ip_addresses_created_at_id" ON "ip_addresses" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_ip_addresses_vrf_id" ON "ip_addresses" ("vrf_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_ip_addresses_device_id" ON "ip_addresses" ("device_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_ip_addresses_interface_id" ON "ip_addresses" ("interface_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "virtual_machines" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "cluster_id" uuid,
                "status" character varying(255),
                "vcpus" integer,
                "memory_mb" integer,
                "disk_gb" integer,
                "platform_id" uuid,
                "description" text,
                CONSTRAINT "ck_vcpus" CHECK ("vcpus" >= 0),
                CONSTRAINT "ck_memory_mb" CHECK ("memory_mb" >= 0),
                CONSTRAINT "ck_disk_gb" CHECK ("disk_gb" >= 0),
                CONSTRAINT "pk_virtual_machines" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_virtual_machines_created_at_id" ON "virtual_machines" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_virtual_machines_cluster_id" ON "virtual_machines" ("cluster_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_virtual_machines_platform_id" ON "virtual_machines" ("platform_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "change_requests" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "status" character varying(255) NOT NULL DEFAULT 'draft',
                "risk" character varying(255) NOT NULL DEFAULT 'low',
                "requested_by_id" uuid,
                "scheduled_for" TIMESTAMP(3) WITH TIME ZONE,
                "description" text,
                CONSTRAINT "pk_change_requests" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_change_requests_created_at_id" ON "change_requests" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_change_requests_requested_by_id" ON "change_requests" ("requested_by_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "incidents" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "severity" character varying(255) DEFAULT 'sev3',
                "status" character varying(255) DEFAULT 'open',
                "detected_at" TIMESTAMP(3) WITH TIME ZONE,
                "resolved_at" TIMESTAMP(3) WITH TIME ZONE,
                "assigned_to_id" uuid,
                "description" text,
                CONSTRAINT "ck_incident_resolved_at" CHECK ("resolved_at" >= "detected_at"),
                CONSTRAINT "pk_incidents" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_incidents_created_at_id" ON "incidents" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_incidents_assigned_to_id" ON "incidents" ("assigned_to_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "known_issues" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "severity" character varying(255) NOT NULL DEFAULT 'medium',
                "status" character varying(255) NOT NULL DEFAULT 'open',
                "affected_system" character varying(255),
                "workaround" text,
                "description" text,
                CONSTRAINT "pk_known_issues" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_known_issues_created_at_id" ON "known_issues" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "maintenance_windows" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "start_time" TIMESTAMP(3) WITH TIME ZONE,
                "end_time" TIMESTAMP(3) WITH TIME ZONE,
                "status" character varying(255) NOT NULL DEFAULT 'scheduled',
                "impact" text,
                "description" text,
                CONSTRAINT "ck_maintenance_window_end_time" CHECK ("end_time" >= "start_time"),
                CONSTRAINT "pk_maintenance_windows" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_maintenance_windows_created_at_id" ON "maintenance_windows" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "on_call_schedules" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "person_id" uuid,
                "start_time" TIMESTAMP(3) WITH TIME ZONE,
                "end_time" TIMESTAMP(3) WITH TIME ZONE,
                "rotation" character varying(255),
                "description" text,
                CONSTRAINT "ck_on_call_schedule_end_time" CHECK ("end_time" >= "start_time"),
                CONSTRAINT "pk_on_call_schedules" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_on_call_schedules_created_at_id" ON "on_call_schedules" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_on_call_schedules_person_id" ON "on_call_schedules" ("person_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "runbooks" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "category" character varying(255),
                "content" text,
                "owner_id" uuid,
                "description" text,
                CONSTRAINT "pk_runbooks" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_runbooks_created_at_id" ON "runbooks" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_runbooks_owner_id" ON "runbooks" ("owner_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "asset_assignments" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "asset_id" uuid NOT NULL,
                "person_id" uuid,
                "assigned_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "returned_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "ck_asset_assignments_open" CHECK (
                    "person_id" IS NOT NULL
                    OR "returned_at" IS NOT NULL
                ),
                CONSTRAINT "pk_asset_assignments" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_asset_assignments_created_at_id" ON "asset_assignments" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_asset_assignments_asset_id" ON "asset_assignments" ("asset_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_asset_assignments_person_id" ON "asset_assignments" ("person_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "contracts" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "contract_number" character varying(255),
                "vendor_id" uuid,
                "type" character varying(255),
                "start_date" date,
                "end_date" date,
                "notice_date" date,
                "cost" numeric,
                "currency" character varying(3) NOT NULL DEFAULT 'USD',
                "status" character varying(255) NOT NULL DEFAULT 'active',
                "notes" text,
                CONSTRAINT "ck_contract_end_date" CHECK ("end_date" >= "start_date"),
                CONSTRAINT "pk_contracts" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_contracts_created_at_id" ON "contracts" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_contracts_vendor_id" ON "contracts" ("vendor_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "renewals" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "vendor_id" uuid,
                "contract_id" uuid,
                "renewal_date" date,
                "amount" numeric,
                "status" character varying(255),
                "notes" text,
                CONSTRAINT "pk_renewals" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_renewals_created_at_id" ON "renewals" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_renewals_vendor_id" ON "renewals" ("vendor_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_renewals_contract_id" ON "renewals" ("contract_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "slas" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "vendor_id" uuid,
                "target" character varying(255),
                "response_time" character varying(255),
                "uptime" character varying(255),
                "description" text,
                CONSTRAINT "pk_slas" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_slas_created_at_id" ON "slas" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_slas_vendor_id" ON "slas" ("vendor_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "software_licences" (
                "id" uuid NOT NULL DEFAULT gen_random_uuid(),
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" character varying(255) NOT NULL,
                "product" character varying(255),
                "licence_key" text,
                "seats" integer,
                "assigned_seats" integer,
                "vendor_id" uuid,
                "expiry_date" date,
                "cost" numeric,
                "status" character varying(255),
                "notes" text,
                CONSTRAINT "ck_seats" CHECK ("seats" >= 0),
                CONSTRAINT "ck_assigned_seats" CHECK ("assigned_seats" >= 0),
                CONSTRAINT "pk_software_licences" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_software_licences_created_at_id" ON "software_licences" ("created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "ix_software_licences_vendor_id" ON "software_licences" ("vendor_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "settings" (
                "name" text NOT NULL,
                "value" text NOT NULL,
                CONSTRAINT "pk_settings" PRIMARY KEY ("name")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD CONSTRAINT "fk_sessions_profile_id" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "clusters"
            ADD CONSTRAINT "fk_clusters_cluster_type_id" FOREIGN KEY ("cluster_type_id") REFERENCES "cluster_types"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "clusters"
            ADD CONSTRAINT "fk_clusters_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "locations"
            ADD CONSTRAINT "fk_locations_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "locations"
            ADD CONSTRAINT "fk_locations_parent_id" FOREIGN KEY ("parent_id") REFERENCES "locations"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "people"
            ADD CONSTRAINT "fk_people_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "people"
            ADD CONSTRAINT "fk_people_profile_id" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_order_items"
            ADD CONSTRAINT "fk_purchase_order_items_purchase_order_id" FOREIGN KEY ("purchase_order_id") REFERENCES "purchase_orders"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_order_items"
            ADD CONSTRAINT "fk_purchase_order_items_category_id" FOREIGN KEY ("category_id") REFERENCES "asset_categories"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_order_items"
            ADD CONSTRAINT "fk_purchase_order_items_manufacturer_id" FOREIGN KEY ("manufacturer_id") REFERENCES "manufacturers"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders"
            ADD CONSTRAINT "fk_purchase_orders_vendor_id" FOREIGN KEY ("vendor_id") REFERENCES "vendors"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders"
            ADD CONSTRAINT "fk_purchase_orders_requested_by_id" FOREIGN KEY ("requested_by_id") REFERENCES "people"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders"
            ADD CONSTRAINT "fk_purchase_orders_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders"
            ADD CONSTRAINT "fk_purchase_orders_location_id" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "assets"
            ADD CONSTRAINT "fk_assets_category_id" FOREIGN KEY ("category_id") REFERENCES "asset_categories"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "assets"
            ADD CONSTRAINT "fk_assets_manufacturer_id" FOREIGN KEY ("manufacturer_id") REFERENCES "manufacturers"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "assets"
            ADD CONSTRAINT "fk_assets_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "assets"
            ADD CONSTRAINT "fk_assets_location_id" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "assets"
            ADD CONSTRAINT "fk_assets_purchase_order_id" FOREIGN KEY ("purchase_order_id") REFERENCES "purchase_orders"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "device_types"
            ADD CONSTRAINT "fk_device_types_manufacturer_id" FOREIGN KEY ("manufacturer_id") REFERENCES "manufacturers"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "platforms"
            ADD CONSTRAINT "fk_platforms_manufacturer_id" FOREIGN KEY ("manufacturer_id") REFERENCES "manufacturers"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "racks"
            ADD CONSTRAINT "fk_racks_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "racks"
            ADD CONSTRAINT "fk_racks_location_id" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_device_type_id" FOREIGN KEY ("device_type_id") REFERENCES "device_types"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_device_role_id" FOREIGN KEY ("device_role_id") REFERENCES "device_roles"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_platform_id" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_site_id" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_location_id" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_rack_id" FOREIGN KEY ("rack_id") REFERENCES "racks"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_cluster_id" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_tenant_group_id" FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_groups"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "fk_devices_asset_id" FOREIGN KEY ("asset_id") REFERENCES "assets"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "device_ports"
            ADD CONSTRAINT "fk_device_ports_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "device_type_modules"
            ADD CONSTRAINT "fk_device_type_modules_device_type_id" FOREIGN KEY ("device_type_id") REFERENCES "device_types"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "ip_addresses"
            ADD CONSTRAINT "fk_ip_addresses_vrf_id" FOREIGN KEY ("vrf_id") REFERENCES "vrfs"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "ip_addresses"
            ADD CONSTRAINT "fk_ip_addresses_device_id" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "ip_addresses"
            ADD CONSTRAINT "fk_ip_addresses_interface_id" FOREIGN KEY ("interface_id") REFERENCES "device_ports"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "virtual_machines"
            ADD CONSTRAINT "fk_virtual_machines_cluster_id" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "virtual_machines"
            ADD CONSTRAINT "fk_virtual_machines_platform_id" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "change_requests"
            ADD CONSTRAINT "fk_change_requests_requested_by_id" FOREIGN KEY ("requested_by_id") REFERENCES "people"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "incidents"
            ADD CONSTRAINT "fk_incidents_assigned_to_id" FOREIGN KEY ("assigned_to_id") REFERENCES "people"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "on_call_schedules"
            ADD CONSTRAINT "fk_on_call_schedules_person_id" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "runbooks"
            ADD CONSTRAINT "fk_runbooks_owner_id" FOREIGN KEY ("owner_id") REFERENCES "people"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "asset_assignments"
            ADD CONSTRAINT "fk_asset_assignments_asset_id" FOREIGN KEY ("asset_id") REFERENCES "assets"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "asset_assignments"
            ADD CONSTRAINT "fk_asset_assignments_person_id" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "contracts"
            ADD CONSTRAINT "fk_contracts_vendor_id" FOREIGN KEY ("vendor_id") REFERENCES "vendors"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "renewals"
            ADD CONSTRAINT "fk_renewals_vendor_id" FOREIGN KEY ("vendor_id") REFERENCES "vendors"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "renewals"
            ADD CONSTRAINT "fk_renewals_contract_id" FOREIGN KEY ("contract_id") REFERENCES "contracts"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "slas"
            ADD CONSTRAINT "fk_slas_vendor_id" FOREIGN KEY ("vendor_id") REFERENCES "vendors"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "software_licences"
            ADD CONSTRAINT "fk_software_licences_vendor_id" FOREIGN KEY ("vendor_id") REFERENCES "vendors"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "software_licences" DROP CONSTRAINT "fk_software_licences_vendor_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "slas" DROP CONSTRAINT "fk_slas_vendor_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "renewals" DROP CONSTRAINT "fk_renewals_contract_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "renewals" DROP CONSTRAINT "fk_renewals_vendor_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "contracts" DROP CONSTRAINT "fk_contracts_vendor_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "asset_assignments" DROP CONSTRAINT "fk_asset_assignments_person_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "asset_assignments" DROP CONSTRAINT "fk_asset_assignments_asset_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "runbooks" DROP CONSTRAINT "fk_runbooks_owner_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "on_call_schedules" DROP CONSTRAINT "fk_on_call_schedules_person_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "incidents" DROP CONSTRAINT "fk_incidents_assigned_to_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "change_requests" DROP CONSTRAINT "fk_change_requests_requested_by_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "virtual_machines" DROP CONSTRAINT "fk_virtual_machines_platform_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "virtual_machines" DROP CONSTRAINT "fk_virtual_machines_cluster_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "ip_addresses" DROP CONSTRAINT "fk_ip_addresses_interface_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "ip_addresses" DROP CONSTRAINT "fk_ip_addresses_device_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "ip_addresses" DROP CONSTRAINT "fk_ip_addresses_vrf_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "device_type_modules" DROP CONSTRAINT "fk_device_type_modules_device_type_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "device_ports" DROP CONSTRAINT "fk_device_ports_device_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_asset_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_tenant_group_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_cluster_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_rack_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_location_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_site_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_platform_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_device_role_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "fk_devices_device_type_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "racks" DROP CONSTRAINT "fk_racks_location_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "racks" DROP CONSTRAINT "fk_racks_site_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "platforms" DROP CONSTRAINT "fk_platforms_manufacturer_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "device_types" DROP CONSTRAINT "fk_device_types_manufacturer_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "assets" DROP CONSTRAINT "fk_assets_purchase_order_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "assets" DROP CONSTRAINT "fk_assets_location_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "assets" DROP CONSTRAINT "fk_assets_site_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "assets" DROP CONSTRAINT "fk_assets_manufacturer_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "assets" DROP CONSTRAINT "fk_assets_category_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders" DROP CONSTRAINT "fk_purchase_orders_location_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders" DROP CONSTRAINT "fk_purchase_orders_site_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders" DROP CONSTRAINT "fk_purchase_orders_requested_by_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_orders" DROP CONSTRAINT "fk_purchase_orders_vendor_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_order_items" DROP CONSTRAINT "fk_purchase_order_items_manufacturer_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_order_items" DROP CONSTRAINT "fk_purchase_order_items_category_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "purchase_order_items" DROP CONSTRAINT "fk_purchase_order_items_purchase_order_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "people" DROP CONSTRAINT "fk_people_profile_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "people" DROP CONSTRAINT "fk_people_site_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "locations" DROP CONSTRAINT "fk_locations_parent_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "locations" DROP CONSTRAINT "fk_locations_site_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "clusters" DROP CONSTRAINT "fk_clusters_site_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "clusters" DROP CONSTRAINT "fk_clusters_cluster_type_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions" DROP CONSTRAINT "fk_sessions_profile_id"
        `);
    await queryRunner.query(`
            DROP TABLE "settings"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_software_licences_vendor_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_software_licences_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "software_licences"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_slas_vendor_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_slas_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "slas"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_renewals_contract_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_renewals_vendor_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_renewals_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "renewals"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_contracts_vendor_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_contracts_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "contracts"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_asset_assignments_person_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_asset_assignments_asset_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_asset_assignments_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "asset_assignments"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_runbooks_owner_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_runbooks_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "runbooks"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_on_call_schedules_person_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_on_call_schedules_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "on_call_schedules"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_maintenance_windows_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "maintenance_windows"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_known_issues_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "known_issues"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_incidents_assigned_to_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_incidents_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "incidents"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_change_requests_requested_by_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_change_requests_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "change_requests"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_virtual_machines_platform_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_virtual_machines_cluster_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_virtual_machines_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "virtual_machines"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_ip_addresses_interface_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_ip_addresses_device_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_ip_addresses_vrf_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_ip_addresses_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "ip_addresses"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_vrfs_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "vrfs"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_type_modules_device_type_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_type_modules_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "device_type_modules"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_ports_device_id_name"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_ports_device_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_ports_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "device_ports"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_asset_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_tenant_group_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_cluster_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_rack_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_location_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_site_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_platform_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_device_role_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_device_type_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_devices_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "devices"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_racks_location_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_racks_site_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_racks_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "racks"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_platforms_manufacturer_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_platforms_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "platforms"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_types_manufacturer_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_types_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "device_types"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_device_roles_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "device_roles"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_assets_purchase_order_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_assets_location_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_assets_site_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_assets_manufacturer_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_assets_category_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_assets_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "assets"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_orders_location_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_orders_site_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_orders_requested_by_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_orders_vendor_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_orders_order_number"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_orders_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "purchase_orders"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_order_items_manufacturer_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_order_items_category_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_order_items_purchase_order_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_purchase_order_items_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "purchase_order_items"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_vendors_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "vendors"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_people_profile_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_people_site_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_people_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "people"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_manufacturers_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "manufacturers"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_asset_categories_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "asset_categories"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_locations_parent_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_locations_site_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_locations_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "locations"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_tenant_groups_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "tenant_groups"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_clusters_site_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_clusters_cluster_type_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_clusters_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "clusters"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_sites_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "sites"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_cluster_types_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "cluster_types"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_idempotency_keys_created_at"
        `);
    await queryRunner.query(`
            DROP TABLE "idempotency_keys"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_sessions_token_hash"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_sessions_profile_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_sessions_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "sessions"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."ix_profiles_created_at_id"
        `);
    await queryRunner.query(`
            DROP TABLE "profiles"
        `);
    await queryRunner.query(`
            DROP TABLE "login_throttles"
        `);
  }
}
