-- A link names a record of one of several tables. The column of its table has a foreign key, which ends with the record.
CREATE OR REPLACE FUNCTION point_target() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  pointers jsonb := '{}';
BEGIN
  IF TG_OP = 'UPDATE' THEN pointers := jsonb_build_object(target_column(OLD.resource), NULL); END IF;
  RETURN jsonb_populate_record(NEW, pointers || jsonb_build_object(target_column(NEW.resource), NEW.record_id));
END
$$;

CREATE OR REPLACE TRIGGER change_request_targets_point BEFORE INSERT OR UPDATE ON change_request_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER incident_targets_point BEFORE INSERT OR UPDATE ON incident_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER maintenance_window_targets_point BEFORE INSERT OR UPDATE ON maintenance_window_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER contract_coverage_point BEFORE INSERT OR UPDATE ON contract_coverage FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER sla_coverage_point BEFORE INSERT OR UPDATE ON sla_coverage FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER known_issue_targets_point BEFORE INSERT OR UPDATE ON known_issue_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER runbook_targets_point BEFORE INSERT OR UPDATE ON runbook_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();
