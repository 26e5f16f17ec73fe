-- Generated (f4c7fa8ea04c74cd) by `npm run migration:generate -- change-sets`, which replaces it until it is edited or committed.

CREATE TABLE change_sets (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  name character varying(255) NOT NULL,
  description text,
  change_request_id uuid,
  status character varying(32) NOT NULL DEFAULT 'open',
  created_by character varying(255) NOT NULL,
  merged_by character varying(255),
  merged_at TIMESTAMP(3) WITH TIME ZONE,
  planned_for_id uuid,
  CONSTRAINT ck_status CHECK (status IN ('open', 'merged', 'discarded')),
  CONSTRAINT pk_change_sets PRIMARY KEY (id)
);

CREATE INDEX ix_change_sets_created_at_id ON change_sets (created_at, id);

CREATE INDEX ix_change_sets_change_request_id ON change_sets (change_request_id);

CREATE TABLE change_set_operations (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
  change_set_id uuid NOT NULL,
  op character varying(32) NOT NULL,
  resource character varying(255) NOT NULL,
  record_id uuid,
  data jsonb,
  position integer NOT NULL,
  base jsonb,
  columns jsonb,
  sealed jsonb,
  authors uuid array NOT NULL DEFAULT '{}',
  CONSTRAINT ck_op CHECK (op IN ('create', 'update', 'delete')),
  CONSTRAINT ck_position CHECK (position >= 1),
  CONSTRAINT pk_change_set_operations PRIMARY KEY (id)
);

CREATE INDEX ix_change_set_operations_created_at_id ON change_set_operations (created_at, id);

CREATE INDEX ix_change_set_operations_change_set_id_record_id ON change_set_operations (change_set_id, record_id);

CREATE INDEX ix_change_set_operations_change_set_id_position ON change_set_operations (change_set_id, position);

CREATE TABLE change_set_approvals (
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
  CONSTRAINT ck_decision CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT ck_role CHECK (role IN ('viewer', 'editor', 'manager', 'admin')),
  CONSTRAINT pk_change_set_approvals PRIMARY KEY (id)
);

CREATE INDEX ix_change_set_approvals_created_at_id ON change_set_approvals (created_at, id);

CREATE INDEX ix_change_set_approvals_profile_id ON change_set_approvals (profile_id);

CREATE INDEX ix_change_set_approvals_record_id ON change_set_approvals (record_id);

ALTER TABLE change_log ADD change_set_id uuid;

CREATE INDEX ix_change_log_change_set_id_id ON change_log (change_set_id, id) WHERE change_set_id IS NOT NULL;

ALTER TABLE change_sets ADD CONSTRAINT fk_change_sets_change_request_id FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE change_set_operations ADD CONSTRAINT fk_change_set_operations_change_set_id FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE change_set_approvals ADD CONSTRAINT fk_change_set_approvals_profile_id FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE SET NULL ON UPDATE NO ACTION;

ALTER TABLE change_set_approvals ADD CONSTRAINT fk_change_set_approvals_record_id FOREIGN KEY (record_id) REFERENCES change_sets(id) ON DELETE CASCADE ON UPDATE NO ACTION;

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ix_change_sets_search ON change_sets USING gin (name gin_trgm_ops, description gin_trgm_ops) WITH (gin_pending_list_limit = 256);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: searching change_sets will read all of it';
END
$$;

CREATE INDEX ix_change_sets_name_order ON change_sets (name COLLATE "C", id);
