-- Lays the values of later entries over each other, to take a record back in time.
CREATE OR REPLACE AGGREGATE jsonb_merge(jsonb) (SFUNC = jsonb_concat, STYPE = jsonb, INITCOND = '{}');
