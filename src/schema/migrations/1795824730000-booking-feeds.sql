ALTER TABLE calendar_feeds DROP CONSTRAINT ck_kind;

ALTER TABLE calendar_feeds ADD CONSTRAINT ck_kind CHECK (kind IN ('on-call', 'maintenance', 'changes', 'expirations', 'bookings'));
