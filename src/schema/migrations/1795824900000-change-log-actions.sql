-- Only triggers write entries, and PostgreSQL would parse this constraint anew for every write of a record.
ALTER TABLE change_log DROP CONSTRAINT ck_action;
