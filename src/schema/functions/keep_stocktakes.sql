-- A stocktake in which something was scanned or that is closed cannot be deleted, nor can what an open one counts.
CREATE OR REPLACE FUNCTION keep_stocktakes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  against text;
BEGIN
  IF TG_TABLE_NAME = 'stocktakes' THEN
    against := CASE
      WHEN OLD.status = 'closed' THEN 'it is closed'
      WHEN EXISTS (SELECT FROM stocktake_scans WHERE stocktake_id = OLD.id) THEN 'it has scans. Close it instead' END;
  ELSE
    SELECT format('the open stocktake ''%s''', t.name) INTO against FROM stocktakes t
      WHERE t.status = 'open' AND CASE TG_TABLE_NAME
        WHEN 'sites' THEN t.site_id = OLD.id WHEN 'locations' THEN t.location_id = OLD.id ELSE t.category_id = OLD.id END
      ORDER BY t.name, t.id LIMIT 1;
  END IF;
  IF against IS NOT NULL THEN
    RAISE EXCEPTION 'there is a stocktake' USING ERRCODE = 'exclusion_violation', TABLE = TG_TABLE_NAME, DETAIL = against,
      CONSTRAINT = CASE TG_TABLE_NAME WHEN 'stocktakes' THEN 'ex_stocktakes_used' WHEN 'sites' THEN 'ex_stocktakes_of_site'
        WHEN 'locations' THEN 'ex_stocktakes_of_location' ELSE 'ex_stocktakes_of_category' END;
  END IF;
  RETURN OLD;
END
$$;

CREATE OR REPLACE TRIGGER stocktakes_kept BEFORE DELETE ON stocktakes FOR EACH ROW EXECUTE FUNCTION keep_stocktakes();

CREATE OR REPLACE TRIGGER sites_stocktakes BEFORE DELETE ON sites FOR EACH ROW EXECUTE FUNCTION keep_stocktakes();

CREATE OR REPLACE TRIGGER locations_stocktakes BEFORE DELETE ON locations FOR EACH ROW EXECUTE FUNCTION keep_stocktakes();

CREATE OR REPLACE TRIGGER asset_categories_stocktakes BEFORE DELETE ON asset_categories
  FOR EACH ROW EXECUTE FUNCTION keep_stocktakes();
