-- Remembers which profiles a person has named. It says that of two profiles one person has both, also when one is no longer named.
CREATE OR REPLACE FUNCTION link_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO person_profiles (person_id, profile_id) VALUES (NEW.id, NEW.profile_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER people_profile_new AFTER INSERT ON people
  FOR EACH ROW WHEN (NEW.profile_id IS NOT NULL) EXECUTE FUNCTION link_profile();

CREATE OR REPLACE TRIGGER people_profile_changed AFTER UPDATE ON people
  FOR EACH ROW WHEN (NEW.profile_id IS NOT NULL AND NEW.profile_id IS DISTINCT FROM OLD.profile_id) EXECUTE FUNCTION link_profile();
