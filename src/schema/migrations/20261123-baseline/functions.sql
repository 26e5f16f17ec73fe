-- A UUID of version 7: the time of the entry, and then the order of writing. Entries in the order of their ids are in
-- the order of their times.
CREATE OR REPLACE FUNCTION change_log_id(at timestamptz) RETURNS uuid LANGUAGE sql AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008'
    || lpad(to_hex(nextval('change_log_sequence')), 15, '0'))::uuid
$$;

-- The partitions of the change log, with the times at which they start and end. The default one has neither.
CREATE OR REPLACE FUNCTION change_log_partitions() RETURNS TABLE(name regclass, starts timestamptz, ends timestamptz) LANGUAGE sql
STABLE AS $$
  SELECT oid::regclass, CASE WHEN bound <> 'DEFAULT' THEN coalesce(substring(bound FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity') END,
    substring(bound FROM 'TO \(''([^'']+)''\)')::timestamptz
  FROM (
    SELECT c.oid, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'change_log'::regclass
  ) partitions
$$;

-- The time of a transaction, so that all that it does is done at once. A transaction that began earlier than the last
-- change of the record, and waited for it, takes the time of that change: a record never goes back in time. A time ahead
-- of the clock can only come from SQL by hand.
CREATE OR REPLACE FUNCTION change_time(last timestamptz) RETURNS timestamptz LANGUAGE sql AS $$
  SELECT greatest(now(), least(last, clock_timestamp()))::timestamptz(3)
$$;

-- A VRF that holds a host more than once cannot begin to enforce unique addresses. Plans of a function are kept, and those
-- made for an empty table would read all of a large one: enable_seqscan is off.
CREATE OR REPLACE FUNCTION check_enforce_unique() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = 'off' AS $$
BEGIN
  IF EXISTS (SELECT FROM address_hosts WHERE space = NEW.id AND alone > 1) THEN
    RAISE EXCEPTION 'a host is recorded more than once in the VRF'
      USING ERRCODE = 'unique_violation', TABLE = 'vrfs', CONSTRAINT = 'uq_vrfs_enforce_unique';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER vrfs_enforce_unique AFTER UPDATE OF enforce_unique ON vrfs
  FOR EACH ROW WHEN (NEW.enforce_unique AND NOT OLD.enforce_unique) EXECUTE FUNCTION check_enforce_unique();

-- Claims free hosts of a space by creating their rows. Who wants one host locks that host only; who wants several locks the
-- space. The first attempt passes over hosts that others are claiming, the second one waits for them.
CREATE OR REPLACE FUNCTION claim_hosts(of_space uuid, lowest inet, highest inet, wanted int) RETURNS SETOF inet LANGUAGE plpgsql
SET enable_seqscan = 'off' AS $$
DECLARE
  space_key bigint := uuid_hash_extended(of_space, 1795344000003);
  claimed inet[] := '{}';
  candidate inet;
  host_key bigint;
  start inet;
BEGIN
  IF wanted = 1 THEN
    PERFORM pg_advisory_xact_lock_shared(space_key);
  ELSE
    PERFORM pg_advisory_xact_lock(space_key);
  END IF;
  FOR patient IN 0 .. 1 LOOP
    start := lowest;
    LOOP
      candidate := NULL;
      FOR candidate IN SELECT * FROM free_hosts(of_space, start, highest, wanted + 15) LOOP
        IF wanted = 1 THEN
          host_key := hashinetextended(candidate, space_key);
          IF patient = 1 THEN
            PERFORM pg_advisory_xact_lock(host_key);
          ELSIF NOT pg_try_advisory_xact_lock(host_key) THEN
            CONTINUE;
          END IF;
        END IF;
        INSERT INTO address_hosts VALUES (of_space, candidate, 0, 0) ON CONFLICT DO NOTHING;
        IF FOUND THEN
          claimed := claimed || candidate;
          IF cardinality(claimed) = wanted THEN
            RETURN QUERY SELECT unnest(claimed);
            RETURN;
          END IF;
        END IF;
      END LOOP;
      EXIT WHEN candidate IS NULL OR candidate = highest;
      start := candidate + 1;
    END LOOP;
  END LOOP;
  DELETE FROM address_hosts h WHERE h.space = of_space AND h.host = ANY (claimed);
END
$$;

-- Keeps the number of entries of the change log. Triggers that write entries count them themselves.
CREATE OR REPLACE FUNCTION count_change_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM record_counts WHERE table_name = 'change_log';
  ELSE
    INSERT INTO record_counts
      SELECT 'change_log', CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER change_log_insert AFTER INSERT ON change_log
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION count_change_log();

CREATE OR REPLACE TRIGGER change_log_delete AFTER DELETE ON change_log
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_change_log();

CREATE OR REPLACE TRIGGER change_log_truncate AFTER TRUNCATE ON change_log FOR EACH STATEMENT EXECUTE FUNCTION count_change_log();

-- The first device, of some, that is outside its rack, as text; null if there is none.
CREATE OR REPLACE FUNCTION device_outside_rack(ids uuid[]) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN r.units IS NULL THEN format('position %s: units are counted from 1', d.rack_position)
    WHEN coalesce(t.u_height, 0) > 0 THEN format('''%s'' with a height of %s at position %s, while rack ''%s'' has units 1 to %s', d.name, t.u_height, d.rack_position, r.name, r.units)
    ELSE format('''%s'' at position %s, while rack ''%s'' has units 1 to %s', d.name, d.rack_position, r.name, r.units) END
  FROM devices d JOIN racks r ON r.id = d.rack_id LEFT JOIN device_types t ON t.id = d.device_type_id
  WHERE d.id = ANY(ids) AND (
    d.rack_position < 1 OR d.rack_position >= r.units + 1 OR d.rack_position + t.u_height > r.units + 1
  )
  ORDER BY d.name, d.id LIMIT 1
$$;

-- A type that grows or becomes deeper must not make its devices overlap others or leave their racks.
CREATE OR REPLACE FUNCTION device_types_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids constant uuid[] := ARRAY(
    SELECT id FROM devices WHERE device_type_id = NEW.id AND rack_id IS NOT NULL AND rack_position IS NOT NULL ORDER BY id FOR KEY SHARE);
  rule constant text := CASE WHEN NEW.u_height IS DISTINCT FROM OLD.u_height THEN 'ex_device_types_u_height' ELSE 'ex_device_types_is_full_depth' END;
  outside text;
BEGIN
  IF ids = '{}' THEN RETURN NULL; END IF;
  PERFORM FROM racks WHERE id IN (SELECT rack_id FROM devices WHERE id = ANY(ids)) ORDER BY id FOR SHARE;
  IF coalesce(NEW.u_height, 0) > coalesce(OLD.u_height, 0) THEN
    outside := device_outside_rack(ids);
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside its rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_device_types_u_height_units', DETAIL = outside;
    END IF;
  END IF;
  PERFORM place_devices(ids, rule);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_types_placement AFTER UPDATE OF u_height, is_full_depth ON device_types
  FOR EACH ROW WHEN ((NEW.u_height, NEW.is_full_depth) IS DISTINCT FROM (OLD.u_height, OLD.is_full_depth))
  EXECUTE FUNCTION device_types_placement();

-- A device is where its rack is. A rack that does not know its site or location contradicts nothing, and neither does a
-- device that is given none: the foreign keys clear both, in any order, when a site or a location is deleted.
CREATE OR REPLACE FUNCTION devices_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved constant boolean := TG_OP = 'UPDATE' AND NEW.rack_id IS DISTINCT FROM OLD.rack_id;
  rack record;
BEGIN
  SELECT r.site_id, r.location_id, r.name INTO rack FROM racks r WHERE r.id = NEW.rack_id FOR SHARE;
  -- The foreign key refuses a rack that does not exist.
  IF NOT FOUND THEN RETURN NEW; END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.site_id := coalesce(NEW.site_id, rack.site_id);
    NEW.location_id := coalesce(NEW.location_id, rack.location_id);
  ELSIF moved THEN
    IF NEW.location_id IS NOT DISTINCT FROM OLD.location_id AND coalesce(rack.site_id, rack.location_id) IS NOT NULL THEN
      NEW.location_id := rack.location_id;
    END IF;
    IF NEW.site_id IS NOT DISTINCT FROM OLD.site_id THEN NEW.site_id := coalesce(rack.site_id, NEW.site_id); END IF;
  END IF;
  IF NEW.site_id <> rack.site_id THEN
    RAISE EXCEPTION 'site_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_site_id_rack';
  END IF;
  IF NEW.location_id <> rack.location_id THEN
    RAISE EXCEPTION 'location_id contradicts the rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_location_id_rack';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER devices_home_insert BEFORE INSERT ON devices
  FOR EACH ROW WHEN (NEW.rack_id IS NOT NULL) EXECUTE FUNCTION devices_home();

CREATE OR REPLACE TRIGGER devices_home_update BEFORE UPDATE OF rack_id, site_id, location_id ON devices
  FOR EACH ROW WHEN (
    NEW.rack_id IS NOT NULL
    AND (NEW.rack_id, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.rack_id, OLD.site_id, OLD.location_id)
  ) EXECUTE FUNCTION devices_home();

-- A device with a rack and a position takes units of the rack (rack_placements). What is read of a rack or a type is locked:
-- a change of it at the same time waits, and then sees the placement.
CREATE OR REPLACE FUNCTION devices_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  types uuid[];
  outside text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(id), array_agg(device_type_id) INTO ids, types
      FROM new_rows WHERE rack_id IS NOT NULL AND rack_position IS NOT NULL;
  ELSE
    -- The former type is locked too: a change of it at the same time places its devices.
    SELECT array_agg(id), array_agg(o.device_type_id) || array_agg(n.device_type_id) INTO ids, types
      FROM old_rows o JOIN new_rows n USING (id)
      WHERE (o.rack_id, o.rack_position, o.rack_face, o.device_type_id) IS DISTINCT FROM (n.rack_id, n.rack_position, n.rack_face, n.device_type_id)
        AND (o.rack_id IS NOT NULL OR n.rack_id IS NOT NULL);
  END IF;
  IF ids IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM racks WHERE id IN (SELECT rack_id FROM devices WHERE id = ANY(ids)) ORDER BY id FOR SHARE;
  PERFORM FROM device_types WHERE id = ANY(types) ORDER BY id FOR SHARE;
  outside := device_outside_rack(ids);
  IF outside IS NOT NULL THEN
    RAISE EXCEPTION 'a device is outside its rack'
      USING ERRCODE = 'check_violation', TABLE = 'devices', CONSTRAINT = 'ck_devices_rack_position_units', DETAIL = outside;
  END IF;
  PERFORM place_devices(ids, 'ex_devices_rack_position');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER devices_placement_insert AFTER INSERT ON devices
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION devices_placement();

CREATE OR REPLACE TRIGGER devices_placement_update AFTER UPDATE ON devices
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION devices_placement();

-- Drops the oldest partition that is older than a time. Returns whether there may be more.
CREATE OR REPLACE FUNCTION drop_change_log_month(before timestamptz) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET TimeZone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  cut constant timestamptz := date_trunc('month', before);
  gone record;
  entries bigint;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7260514402) THEN RETURN false; END IF;
  SELECT * INTO gone FROM change_log_partitions() p WHERE p.ends <= cut ORDER BY p.ends LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  BEGIN
    -- Nobody writes entries of a past month. They are counted before the detaching makes all writers wait.
    EXECUTE format('LOCK TABLE %s IN SHARE MODE', gone.name);
    EXECUTE format('SELECT count(*), max(created_at) FROM %s', gone.name) INTO entries, latest;
    EXECUTE format('ALTER TABLE change_log DETACH PARTITION %s', gone.name);
  EXCEPTION WHEN lock_not_available THEN RETURN false;
  END;
  EXECUTE format('DROP TABLE %s', gone.name);
  IF entries > 0 THEN
    INSERT INTO record_counts VALUES ('change_log', -entries);
    INSERT INTO change_log_pruned AS known (until) VALUES (latest)
      ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
  END IF;
  RETURN true;
END
$$;

REVOKE ALL ON FUNCTION drop_change_log_month(timestamptz) FROM PUBLIC;

-- A restored asset comes back with its assignments. If the person of an open one was deleted while the asset did not
-- exist, the assignment ends here, as it would have with the person.
CREATE OR REPLACE FUNCTION end_assignment_of_nobody() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.returned_at := greatest(NEW.assigned_at, now());
  UPDATE assets SET status = 'in_stock' WHERE id = NEW.asset_id AND status = 'in_use';
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER asset_assignments_of_nobody BEFORE INSERT ON asset_assignments
  FOR EACH ROW WHEN (NEW.person_id IS NULL AND NEW.returned_at IS NULL)
  EXECUTE FUNCTION end_assignment_of_nobody();

-- Deleting a person takes back what they hold. Who hands out or takes back locks the asset before its assignment, and so
-- does this. An assignment that was made while the delete waited for that lock began after its now().
CREATE OR REPLACE FUNCTION end_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM assets WHERE id IN (SELECT asset_id FROM asset_assignments WHERE person_id = OLD.id AND returned_at IS NULL)
    ORDER BY id FOR NO KEY UPDATE;
  UPDATE asset_assignments SET returned_at = greatest(assigned_at, now())
    WHERE person_id = OLD.id AND returned_at IS NULL;
  RETURN OLD;
END
$$;

CREATE OR REPLACE TRIGGER people_end_assignments BEFORE DELETE ON people FOR EACH ROW EXECUTE FUNCTION end_assignments();

-- Makes the missing partitions of this month and the next three. A month whose entries already are in the default partition
-- stays there: to move them, writers would have to wait.
CREATE OR REPLACE FUNCTION extend_change_log() RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET TimeZone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  first constant timestamptz := date_trunc('month', now());
  month timestamptz;
  name text;
  made integer := 0;
BEGIN
  FOR month IN SELECT generate_series(first, first + interval '3 months', interval '1 month') LOOP
    CONTINUE WHEN EXISTS (SELECT FROM change_log_partitions() p WHERE p.starts <= month AND p.ends > month);
    IF NOT pg_try_advisory_xact_lock(7260514402) THEN RETURN made; END IF;
    name := 'change_log_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(name)) IS NOT NULL
      OR EXISTS (SELECT FROM change_log_default d WHERE d.created_at >= month AND d.created_at < month + interval '1 month');
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE change_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
      EXECUTE format('CREATE TRIGGER change_log_keep BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION keep_change_log_partition()', name);
      EXECUTE format('ALTER TABLE change_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, month, month + interval '1 month');
      made := made + 1;
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available THEN RETURN made;
    END;
  END LOOP;
  RETURN made;
END
$$;

REVOKE ALL ON FUNCTION extend_change_log() FROM PUBLIC;

-- The status of an asset follows its assignments.
CREATE OR REPLACE FUNCTION follow_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE assets SET status = 'in_use' FROM new_rows n
      WHERE assets.id = n.asset_id AND n.returned_at IS NULL AND assets.status IN ('in_stock', 'reserved');
  ELSE
    UPDATE assets SET status = 'in_stock' FROM old_rows o JOIN new_rows n USING (id)
      WHERE assets.id = n.asset_id AND o.returned_at IS NULL AND n.returned_at IS NOT NULL AND assets.status = 'in_use';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER asset_assignments_follow_insert AFTER INSERT ON asset_assignments
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_assignments();

CREATE OR REPLACE TRIGGER asset_assignments_follow_update AFTER UPDATE ON asset_assignments
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION follow_assignments();

-- The lowest `wanted` hosts from `lowest` to `highest` that no address of the space has. Full blocks are skipped by their
-- kept number, so that at most the addresses of one block are read in vain.
CREATE OR REPLACE FUNCTION free_hosts(of_space uuid, lowest inet, highest inet, wanted int) RETURNS SETOF inet LANGUAGE plpgsql
STABLE SET enable_seqscan = 'off' SET enable_hashagg = 'off' AS $$
DECLARE
  free inet := lowest;
  remaining int := wanted;
  taken record;
  used inet;
  block_end inet;
BEGIN
  FOR taken IN SELECT b.block, sum(b.hosts) AS hosts FROM address_blocks b
      WHERE b.space = of_space AND masklen(b.block) = CASE family(lowest) WHEN 4 THEN 24 ELSE 120 END
        AND b.block BETWEEN network(set_masklen(lowest, CASE family(lowest) WHEN 4 THEN 24 ELSE 120 END)) AND network(set_masklen(highest, CASE family(highest) WHEN 4 THEN 24 ELSE 120 END))
      GROUP BY b.block ORDER BY b.block LOOP
    WHILE remaining > 0 AND free < set_masklen(taken.block::inet, CASE family(taken.block::inet) WHEN 4 THEN 32 ELSE 128 END) LOOP
      RETURN NEXT free;
      free := free + 1;
      remaining := remaining - 1;
    END LOOP;
    EXIT WHEN remaining = 0;
    block_end := least(set_masklen(broadcast(taken.block), CASE family(broadcast(taken.block)) WHEN 4 THEN 32 ELSE 128 END), highest);
    IF taken.hosts < 256 THEN
      FOR used IN SELECT h.host FROM address_hosts h
          WHERE h.space = of_space AND h.host BETWEEN free AND block_end ORDER BY h.host LOOP
        WHILE remaining > 0 AND free < used LOOP
          RETURN NEXT free;
          free := free + 1;
          remaining := remaining - 1;
        END LOOP;
        IF remaining = 0 OR used = highest THEN
          RETURN;
        END IF;
        free := used + 1;
      END LOOP;
      WHILE remaining > 0 AND free <= block_end LOOP
        RETURN NEXT free;
        IF free = highest THEN
          RETURN;
        END IF;
        free := free + 1;
        remaining := remaining - 1;
      END LOOP;
    ELSIF block_end = highest THEN
      RETURN;
    ELSE
      free := block_end + 1;
    END IF;
    EXIT WHEN remaining = 0;
  END LOOP;
  WHILE remaining > 0 LOOP
    RETURN NEXT free;
    EXIT WHEN free = highest;
    free := free + 1;
    remaining := remaining - 1;
  END LOOP;
END
$$;

-- The lowest `wanted` networks inside a network that overlap no prefix of the space: of one length, or without a length as
-- large as possible. In the order of the index a prefix is followed by all that it contains, which is skipped.
CREATE OR REPLACE FUNCTION free_networks(of_space uuid, within cidr, of_length int, wanted int) RETURNS SETOF cidr LANGUAGE plpgsql
STABLE SET enable_seqscan = 'off' AS $$
DECLARE
  bits int := CASE family(within) WHEN 4 THEN 32 ELSE 128 END;
  highest inet := set_masklen(broadcast(within), bits);
  host inet := set_masklen(within::inet, bits);
  previous cidr := within;
  remaining int := wanted;
  child_space uuid;
  child cidr;
  gap_end inet;
  candidate inet;
  free cidr;
BEGIN
  LOOP
    -- One step in the unique index, which no other index offers for a comparison of pairs.
    SELECT coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000'), p.prefix INTO child_space, child FROM prefixes p
      WHERE (coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000'), p.prefix) > (of_space, previous) ORDER BY coalesce(p.vrf_id, '00000000-0000-0000-0000-000000000000'), p.prefix LIMIT 1;
    -- The last free address before the next child; null if there is none.
    IF child_space = of_space AND child << within THEN
      gap_end := CASE WHEN host < set_masklen(child::inet, bits) THEN set_masklen(child::inet, bits) - 1 END;
    ELSE
      child := NULL;
      gap_end := highest;
    END IF;
    WHILE host <= gap_end LOOP
      IF remaining = 0 THEN
        RETURN;
      END IF;
      free := NULL;
      IF of_length IS NULL THEN
        FOR length IN masklen(within) .. bits LOOP
          candidate := set_masklen(host, length);
          IF set_masklen(network(candidate)::inet, bits) = host AND set_masklen(broadcast(candidate), bits) <= gap_end THEN
            free := network(candidate);
            EXIT;
          END IF;
        END LOOP;
      ELSE
        candidate := set_masklen(host, of_length);
        IF set_masklen(network(candidate)::inet, bits) < host THEN
          EXIT WHEN set_masklen(broadcast(candidate), bits) >= gap_end;
          candidate := set_masklen(set_masklen(broadcast(candidate), bits) + 1, of_length);
        END IF;
        IF set_masklen(broadcast(candidate), bits) <= gap_end THEN
          free := network(candidate);
        END IF;
      END IF;
      EXIT WHEN free IS NULL;
      RETURN NEXT free;
      remaining := remaining - 1;
      IF set_masklen(broadcast(free), bits) = highest THEN
        RETURN;
      END IF;
      host := set_masklen(broadcast(free), bits) + 1;
    END LOOP;
    IF child IS NULL OR remaining = 0 OR set_masklen(broadcast(child), bits) = highest THEN
      RETURN;
    END IF;
    previous := set_masklen(broadcast(child), bits)::cidr;
    host := set_masklen(broadcast(child), bits) + 1;
  END LOOP;
END
$$;

-- An address that is bound to a port belongs to the port's device. Ports never move, so this can only break where an
-- address is written:
--
-- - Binding it (interface_id is set or changed) makes device_id the port's device, whatever was given beside it. The device
--   is locked before the foreign keys lock the port, in the order in which deleting the device locks them. Where the port
--   or its device is gone, nothing is set and the foreign key on interface_id refuses.
-- - Changing device_id alone must not contradict the port. A device that is being deleted is exempt: its row is gone
--   already when the foreign keys clear device_id and, by way of its ports, interface_id, in whichever order they run.
--
-- Deleting a port clears interface_id by its foreign key and leaves device_id.
CREATE OR REPLACE FUNCTION ip_addresses_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  home uuid;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.interface_id IS DISTINCT FROM OLD.interface_id THEN
    SELECT d.id INTO home
      FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id
      FOR KEY SHARE OF d;
    IF FOUND THEN
      NEW.device_id := home;
    END IF;
  ELSIF EXISTS (
    SELECT FROM device_ports p JOIN devices d ON d.id = p.device_id
      WHERE p.id = NEW.interface_id AND p.device_id IS DISTINCT FROM NEW.device_id
  ) THEN
    RAISE EXCEPTION 'device_id contradicts the port of the address'
      USING ERRCODE = 'check_violation', TABLE = 'ip_addresses', CONSTRAINT = 'ck_ip_addresses_device_id';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER ip_addresses_home BEFORE INSERT OR UPDATE OF interface_id, device_id ON ip_addresses
  FOR EACH ROW WHEN (NEW.interface_id IS NOT NULL) EXECUTE FUNCTION ip_addresses_home();

-- Lays the values of later entries over each other, to take a record back in time.
CREATE OR REPLACE AGGREGATE jsonb_merge(jsonb) (SFUNC = jsonb_concat, STYPE = jsonb, INITCOND = '{}');

-- Entries of the change log only go with the retention (prune_change_log).
CREATE OR REPLACE FUNCTION keep_change_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('inventory.pruning', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'Entries of the change log are neither changed nor deleted' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE OR REPLACE TRIGGER change_log_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON change_log FOR EACH STATEMENT
  EXECUTE FUNCTION keep_change_log();

-- A partition is written through the log only, where entries are counted.
CREATE OR REPLACE FUNCTION keep_change_log_partition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Entries of the change log are neither changed nor deleted, and written to change_log only' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE OR REPLACE TRIGGER change_log_keep BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON change_log_default FOR EACH STATEMENT
  EXECUTE FUNCTION keep_change_log_partition();

-- Keeps, with every change of addresses, the hosts of their spaces (address_hosts) and their number in each block
-- (address_blocks). A host that stands alone may be in one address of a VRF that enforces unique addresses. Plans of a
-- function are kept, and those made for an empty table would read all of a large one: enable_seqscan is off.
CREATE OR REPLACE FUNCTION keep_hosts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = 'off' AS $$
DECLARE
  spaces uuid[];
  hosts inet[];
  more_times int[];
  more_alone int[];
  block_spaces uuid[];
  blocks cidr[];
  more_hosts int[];
  repeated uuid[];
  now_times int;
  now_alone int;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM address_hosts;
    DELETE FROM address_blocks;
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(space), array_agg(host), array_agg(times), array_agg(alone)
      INTO spaces, hosts, more_times, more_alone FROM (
        SELECT space, host, sum(times)::int AS times, sum(alone)::int AS alone FROM (SELECT coalesce(vrf_id, '00000000-0000-0000-0000-000000000000') AS space, set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END) AS host, 1 AS times, (coalesce(role, '') NOT IN ('anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'))::int AS alone FROM new_rows) touched
          GROUP BY space, host HAVING sum(times) <> 0 OR sum(alone) <> 0 ORDER BY space, host
      ) changed;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(space), array_agg(host), array_agg(times), array_agg(alone)
      INTO spaces, hosts, more_times, more_alone FROM (
        SELECT space, host, sum(times)::int AS times, sum(alone)::int AS alone FROM (SELECT coalesce(vrf_id, '00000000-0000-0000-0000-000000000000') AS space, set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END) AS host, -1 AS times, -(coalesce(role, '') NOT IN ('anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'))::int AS alone FROM old_rows) touched
          GROUP BY space, host HAVING sum(times) <> 0 OR sum(alone) <> 0 ORDER BY space, host
      ) changed;
  ELSE
    SELECT array_agg(space), array_agg(host), array_agg(times), array_agg(alone)
      INTO spaces, hosts, more_times, more_alone FROM (
        SELECT space, host, sum(times)::int AS times, sum(alone)::int AS alone FROM (SELECT coalesce(vrf_id, '00000000-0000-0000-0000-000000000000') AS space, set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END) AS host, 1 AS times, (coalesce(role, '') NOT IN ('anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'))::int AS alone FROM new_rows UNION ALL SELECT coalesce(vrf_id, '00000000-0000-0000-0000-000000000000') AS space, set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 128 END) AS host, -1 AS times, -(coalesce(role, '') NOT IN ('anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'))::int AS alone FROM old_rows) touched
          GROUP BY space, host HAVING sum(times) <> 0 OR sum(alone) <> 0 ORDER BY space, host
      ) changed;
  END IF;
  IF spaces IS NULL THEN
    RETURN NULL;
  END IF;

  IF cardinality(spaces) = 1 THEN
    -- The same as below for one host, in half the time.
    INSERT INTO address_hosts AS h (space, host, times, alone)
      VALUES (spaces[1], hosts[1], more_times[1], more_alone[1])
      ON CONFLICT ON CONSTRAINT pk_address_hosts
      DO UPDATE SET times = h.times + excluded.times, alone = h.alone + excluded.alone
      RETURNING h.times, h.alone INTO now_times, now_alone;
    blocks := ARRAY[
      network(set_masklen(hosts[1], CASE family(hosts[1]) WHEN 4 THEN 24 ELSE 120 END)),
      network(set_masklen(hosts[1], CASE family(hosts[1]) WHEN 4 THEN 16 ELSE 64 END))
    ];
    block_spaces := spaces || spaces;
    more_hosts := array_fill(CASE now_times WHEN 0 THEN -1 WHEN more_times[1] THEN 1 ELSE 0 END, ARRAY[2]);
    IF now_alone > 1 AND more_alone[1] > 0 THEN
      repeated := spaces;
    END IF;
  ELSE
    WITH changed AS (
      SELECT * FROM unnest(spaces, hosts, more_times, more_alone) changed (space, host, times, alone)
    ), written AS (
      INSERT INTO address_hosts AS h (space, host, times, alone) SELECT * FROM changed
        ON CONFLICT ON CONSTRAINT pk_address_hosts
        DO UPDATE SET times = h.times + excluded.times, alone = h.alone + excluded.alone
        RETURNING h.*
    )
    SELECT array_agg(space), array_agg(block), array_agg(change), array_agg(space) FILTER (WHERE is_repeated)
      INTO block_spaces, blocks, more_hosts, repeated FROM (
        SELECT w.space, block, bool_or(w.alone > 1 AND c.alone > 0) AS is_repeated,
              sum(CASE w.times WHEN 0 THEN -1 WHEN c.times THEN 1 ELSE 0 END)::int AS change
          FROM written w JOIN changed c ON c.space = w.space AND c.host = w.host
          CROSS JOIN LATERAL unnest(ARRAY[
      network(set_masklen(w.host, CASE family(w.host) WHEN 4 THEN 24 ELSE 120 END)),
      network(set_masklen(w.host, CASE family(w.host) WHEN 4 THEN 16 ELSE 64 END))
    ]) block GROUP BY 1, 2
      ) touched WHERE change <> 0 OR is_repeated;
  END IF;

  -- Who switches `enforce_unique` on waits for this lock, or has let go of it.
  IF repeated IS NOT NULL AND true = ANY (ARRAY(
    SELECT enforce_unique FROM vrfs WHERE id = ANY (repeated) ORDER BY id FOR SHARE
  )) THEN
    RAISE EXCEPTION 'a host is recorded in the VRF already'
      USING ERRCODE = 'unique_violation', TABLE = 'ip_addresses', CONSTRAINT = 'uq_ip_addresses_vrf_host';
  END IF;

  FOR i IN 1 .. coalesce(cardinality(blocks), 0) LOOP
    CONTINUE WHEN more_hosts[i] = 0;
    UPDATE address_blocks b SET hosts = b.hosts + more_hosts[i] WHERE b.id = (
      SELECT b.id FROM address_blocks b
        WHERE b.space = block_spaces[i] AND masklen(b.block) = masklen(blocks[i]) AND b.block = blocks[i]
        LIMIT 1 FOR UPDATE SKIP LOCKED
    );
    IF NOT FOUND THEN
      INSERT INTO address_blocks (space, block, hosts) VALUES (block_spaces[i], blocks[i], more_hosts[i]);
    END IF;
  END LOOP;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM address_hosts h USING unnest(spaces, hosts) t (space, host)
      WHERE h.space = t.space AND h.host = t.host AND h.times = 0;
    DELETE FROM address_blocks WHERE id IN (
      SELECT b.id FROM unnest(block_spaces, blocks) t (space, block)
        JOIN address_blocks b ON b.space = t.space AND masklen(b.block) = masklen(t.block) AND b.block = t.block
        WHERE b.hosts = 0 FOR UPDATE OF b SKIP LOCKED
    );
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER ip_addresses_hosts_insert AFTER INSERT ON ip_addresses
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_hosts();

CREATE OR REPLACE TRIGGER ip_addresses_hosts_update AFTER UPDATE ON ip_addresses
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION keep_hosts();

CREATE OR REPLACE TRIGGER ip_addresses_hosts_delete AFTER DELETE ON ip_addresses
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_hosts();

CREATE OR REPLACE TRIGGER ip_addresses_hosts_truncate AFTER TRUNCATE ON ip_addresses FOR EACH STATEMENT
  EXECUTE FUNCTION keep_hosts();

-- A location is never its own ancestor. Two changes that are harmless alone can close a circle together, so changes of
-- parents take turns: the second waits until the first has ended, and then sees it. A new location cannot close a circle,
-- as nothing lies within it yet.
CREATE OR REPLACE FUNCTION locations_ancestry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('locations.parent_id'));
  IF EXISTS (
    WITH RECURSIVE ancestors AS (
      SELECT NEW.parent_id AS id
      UNION
      SELECT l.parent_id FROM locations l JOIN ancestors a ON a.id = l.id WHERE l.parent_id IS NOT NULL
    )
    SELECT FROM ancestors WHERE id = NEW.id
  ) THEN
    RAISE EXCEPTION 'a location cannot be its own ancestor'
      USING ERRCODE = 'check_violation', TABLE = 'locations', CONSTRAINT = 'ck_locations_parent_id';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER locations_ancestry BEFORE UPDATE OF parent_id ON locations
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
  EXECUTE FUNCTION locations_ancestry();

-- Makes a table one of records, whose changes are logged and counted from now on: a trigger for each of insert, update and
-- delete, and one for TRUNCATE, which no request runs. May be repeated.
--
-- `area` is that of the resource, `name` the column that names a record, `secrets` are columns whose values are withheld,
-- `counted` those whose values are counted. `listed` says whether the resource has a list of its own, with a total.
CREATE OR REPLACE FUNCTION log_records(records regclass, area text, name text, secrets text[], counted text[], listed boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  plain constant text := (SELECT relname FROM pg_class WHERE oid = records);
  arguments constant text := format('%L, %L, %L, %L, %L', coalesce(area, ''), name, secrets, counted, listed);
  counted_column text;
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER INSERT ON %s REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_rows(%s)', plain || '_insert', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE UPDATE ON %s
    FOR EACH ROW WHEN (OLD *<> NEW) EXECUTE FUNCTION log_update(%s)', plain || '_update', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER DELETE ON %s REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_rows(%s)', plain || '_delete', records, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION log_truncate(%s)', plain || '_truncate', records, arguments);

  -- The triggers have locked the table for writers. What is not counted yet is counted now.
  DELETE FROM value_counts WHERE table_name = plain AND column_name <> ALL(counted);
  IF listed AND NOT EXISTS (SELECT FROM record_counts WHERE table_name = plain) THEN
    EXECUTE format('INSERT INTO record_counts SELECT %L, count(*) FROM %s HAVING count(*) > 0', plain, records);
  END IF;
  FOREACH counted_column IN ARRAY counted LOOP
    CONTINUE WHEN EXISTS (SELECT FROM value_counts WHERE table_name = plain AND column_name = counted_column);
    EXECUTE format('INSERT INTO value_counts SELECT %L, %L, %3$I, count(*) FROM %4$s WHERE %3$I IS NOT NULL GROUP BY %3$I',
      plain, counted_column, counted_column, records);
  END LOOP;
END
$$;

-- Logs the records that a statement created or deleted, and adds them to the kept counts, in one statement. The arguments
-- are those of log_records. Counts are differences in rows of their own, so that writers never wait for each other.
-- With the rights of the owner: nobody else can write the change log.
CREATE OR REPLACE FUNCTION log_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  created constant boolean := TG_OP = 'INSERT';
  secrets constant text[] := TG_ARGV[2];
  counted constant text[] := TG_ARGV[3];
  listed constant boolean := TG_ARGV[4];
BEGIN
  WITH written AS MATERIALIZED (
    SELECT id, at, row, CASE WHEN secrets = '{}' THEN row ELSE withhold(row, secrets) END AS shown
    FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(changed) AS row FROM changed OFFSET 0) changed_rows
  ), logged AS (
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, old_values, new_values)
      SELECT change_log_id(at), at, at, CASE WHEN created THEN 'create' ELSE 'delete' END, replace(TG_TABLE_NAME, '_', '-'),
        nullif(TG_ARGV[0], ''), id, left(row->>TG_ARGV[1], 255), (attribution->>'profileId')::uuid,
        coalesce(attribution->>'email', 'system'), attribution->>'requestId', pg_current_xact_id()::text::bigint,
        (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255),
        CASE WHEN NOT created THEN shown END, CASE WHEN created THEN shown END
      FROM written
  ), counted_values AS (
    INSERT INTO value_counts
      SELECT TG_TABLE_NAME, name, row->>name, CASE WHEN created THEN count(*) ELSE -count(*) END
      FROM written, unnest(counted) name WHERE row->>name IS NOT NULL GROUP BY 2, 3
  )
  INSERT INTO record_counts
    SELECT name, CASE WHEN created OR name = 'change_log' THEN n ELSE -n END
    FROM (SELECT count(*) AS n FROM written) total, unnest(ARRAY['change_log', CASE WHEN listed THEN TG_TABLE_NAME END]) name
    WHERE n > 0 AND name IS NOT NULL;
  RETURN NULL;
END
$$;

-- Who could make a trigger of its own of this function could write entries about anything.
REVOKE ALL ON FUNCTION log_rows() FROM PUBLIC;

-- Logs the records of a table before it is emptied, and ends its counts. No request empties a table; SQL by hand may.
-- The arguments are those of log_records. TRUNCATE has no transition table: the rows are read before they go.
CREATE OR REPLACE FUNCTION log_truncate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  emptied bigint;
BEGIN
  EXECUTE format(
    'INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, old_values)
      SELECT change_log_id(at), at, at, ''delete'', $1, $2, o.id, left(row->>$3, 255), $4, $5, $6, $7, $8, $9, withhold(row, $10)
      FROM (SELECT id, change_time(updated_at) AS at, to_jsonb(t) AS row FROM %I.%I t OFFSET 0) o', TG_TABLE_SCHEMA, TG_TABLE_NAME)
    USING replace(TG_TABLE_NAME, '_', '-'), nullif(TG_ARGV[0], ''), TG_ARGV[1], (attribution->>'profileId')::uuid,
      coalesce(attribution->>'email', 'system'), attribution->>'requestId', pg_current_xact_id()::text::bigint,
      (attribution->>'tokenId')::uuid, left(attribution->>'tokenName', 255), TG_ARGV[2]::text[];
  GET DIAGNOSTICS emptied = ROW_COUNT;
  DELETE FROM record_counts WHERE table_name = TG_TABLE_NAME;
  DELETE FROM value_counts WHERE table_name = TG_TABLE_NAME;
  INSERT INTO record_counts VALUES ('change_log', emptied);
  RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION log_truncate() FROM PUBLIC;

-- Logs the change of a record, keeps the counts of its values, and sets updated_at to the time of the entry. It is the
-- last of the triggers before an update, after those that change the record, because triggers run in the order of their
-- names. The arguments are those of log_records. With the rights of the owner: nobody else can write the change log.
--
-- Texts are compared, because to jsonb 1200 and 1200.00 are equal. When a token was last used is no change of it. A
-- statement that sets updated_at by itself says that parts of the record have changed.
CREATE OR REPLACE FUNCTION log_update() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  attribution constant jsonb := nullif(current_setting('inventory.by', true), '')::jsonb;
  at constant timestamptz(3) := change_time(OLD.updated_at);
  before constant jsonb := to_jsonb(OLD);
  after constant jsonb := to_jsonb(NEW);
  secrets constant text[] := TG_ARGV[2];
  counted constant text[] := TG_ARGV[3];
  changed jsonb;
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'The id of a record never changes' USING ERRCODE = 'insufficient_privilege';
  END IF;
  WITH logged AS (
    INSERT INTO change_log (id, created_at, updated_at, action, resource, area, record_id, record_name, actor_id, actor,
        request_id, transaction_id, token_id, token_name, old_values, new_values)
      SELECT change_log_id(at), at, at, 'update', replace(TG_TABLE_NAME, '_', '-'), nullif(TG_ARGV[0], ''), NEW.id,
        left(after->>TG_ARGV[1], 255), (attribution->>'profileId')::uuid, coalesce(attribution->>'email', 'system'),
        attribution->>'requestId', pg_current_xact_id()::text::bigint, (attribution->>'tokenId')::uuid,
        left(attribution->>'tokenName', 255),
        CASE WHEN secrets = '{}' THEN was ELSE withhold(was, secrets) END || jsonb_build_object('updated_at', before->'updated_at'),
        CASE WHEN secrets = '{}' THEN became ELSE withhold(became, secrets) END
      FROM (
        SELECT jsonb_object_agg(b.key, b.value) AS was, jsonb_object_agg(b.key, after->b.key) AS became FROM jsonb_each(before) b
        WHERE b.value::text <> (after->b.key)::text AND b.key NOT IN ('updated_at', 'last_used_at', 'last_used_address')
      ) difference
      WHERE was IS NOT NULL
    RETURNING old_values
  ), total AS (
    INSERT INTO record_counts SELECT 'change_log', 1 FROM logged
  )
  SELECT old_values INTO changed FROM logged;
  IF changed ?| counted THEN
    INSERT INTO value_counts
      SELECT TG_TABLE_NAME, name, value, delta
      FROM unnest(counted) name CROSS JOIN LATERAL (VALUES (before->>name, -1), (after->>name, 1)) AS moved (value, delta)
      WHERE changed ? name AND value IS NOT NULL;
  END IF;
  IF changed IS NOT NULL OR NEW.updated_at <> OLD.updated_at THEN NEW.updated_at := at; END IF;
  RETURN NEW;
END
$$;

-- Who could make a trigger of its own of this function could write entries about anything.
REVOKE ALL ON FUNCTION log_update() FROM PUBLIC;

-- The whole numbers in a text, for the search of addresses: the trigrams of `host-4711.` are in many addresses, the number
-- 4711 is in few. Inlined into the expression of the index.
CREATE OR REPLACE FUNCTION numbers_in(texts text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_remove(regexp_split_to_array(texts, '[^0-9]+'), '')
$$;

-- A device type is of its vendor until somebody changes it, or its ports (own_device_type_of_ports). The import of a library,
-- which sets `inventory.library` for its transaction, is the vendor. Clearing the manufacturer, as deleting it does, is no
-- change of the type.
CREATE OR REPLACE FUNCTION own_device_type() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.source := 'customer';
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER device_types_own BEFORE UPDATE ON device_types
  FOR EACH ROW WHEN (
    OLD.source = 'vendor' AND NEW.source = 'vendor' AND coalesce(current_setting('inventory.library', true), '') = '' AND (
      (NEW.model, NEW.slug, NEW.part_number, NEW.u_height, NEW.is_full_depth, NEW.description, NEW.weight, NEW.airflow, NEW.subdevice_role, NEW.is_powered)
        IS DISTINCT FROM (OLD.model, OLD.slug, OLD.part_number, OLD.u_height, OLD.is_full_depth, OLD.description, OLD.weight, OLD.airflow, OLD.subdevice_role, OLD.is_powered)
      OR NEW.manufacturer_id <> OLD.manufacturer_id OR (OLD.manufacturer_id IS NULL AND NEW.manufacturer_id IS NOT NULL)
    )
  ) EXECUTE FUNCTION own_device_type();

-- A change of its ports makes a device type the customer's. Ports that come back with a restored type have the times of their
-- creation.
CREATE OR REPLACE FUNCTION own_device_type_of_ports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('inventory.library', true), '') <> '' THEN RETURN NULL; END IF;
  UPDATE device_types SET source = 'customer' WHERE source = 'vendor' AND id IN (
    SELECT device_type_id FROM changed WHERE TG_OP <> 'INSERT' OR created_at >= now()::timestamptz(3)
  );
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER device_type_ports_own_insert AFTER INSERT ON device_type_ports
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION own_device_type_of_ports();

CREATE OR REPLACE TRIGGER device_type_ports_own_update AFTER UPDATE ON device_type_ports
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION own_device_type_of_ports();

CREATE OR REPLACE TRIGGER device_type_ports_own_delete AFTER DELETE ON device_type_ports
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION own_device_type_of_ports();

-- Works out anew what devices take. The name of the rule says which kind of write breaks it. Units are counted in halves:
-- `units` of a device of 2 units at position 10 is [20,24). `faces` is [0,1) for the front, [1,2) for the rear and [0,2) for
-- both. Rows of one `cluster` do not exclude each other: devices that overlapped before there was this rule share one.
CREATE OR REPLACE FUNCTION place_devices(ids uuid[], rule text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before rack_placements[];
  placed uuid[];
  refused record;
BEGIN
  before := ARRAY(SELECT p FROM rack_placements p WHERE p.device_id = ANY(ids));
  IF before <> '{}' THEN DELETE FROM rack_placements WHERE device_id = ANY(ids); END IF;
  WITH inserted AS (
    INSERT INTO rack_placements
    SELECT taken.*, CASE WHEN b.rack_id = taken.rack_id AND b.faces @> taken.faces AND b.units @> taken.units THEN b.cluster ELSE taken.device_id END
    FROM (
  SELECT d.id AS device_id, d.rack_id,
    CASE WHEN t.is_full_depth THEN int4range(0, 2) WHEN d.rack_face = 'rear' THEN int4range(1, 2) ELSE int4range(0, 1) END AS faces,
    int4range((d.rack_position * 2)::int, ((d.rack_position + t.u_height) * 2)::int) AS units
  FROM devices d JOIN device_types t ON t.id = d.device_type_id
  WHERE d.rack_id IS NOT NULL AND d.rack_position IS NOT NULL AND t.u_height > 0 AND d.id = ANY(ids)) taken LEFT JOIN unnest(before) b USING (device_id)
    ORDER BY taken.rack_id, taken.units
    ON CONFLICT DO NOTHING RETURNING device_id
  )
  SELECT coalesce(array_agg(device_id), '{}') INTO placed FROM inserted;
  SELECT taken.*, d.name INTO refused
    FROM (
  SELECT d.id AS device_id, d.rack_id,
    CASE WHEN t.is_full_depth THEN int4range(0, 2) WHEN d.rack_face = 'rear' THEN int4range(1, 2) ELSE int4range(0, 1) END AS faces,
    int4range((d.rack_position * 2)::int, ((d.rack_position + t.u_height) * 2)::int) AS units
  FROM devices d JOIN device_types t ON t.id = d.device_type_id
  WHERE d.rack_id IS NOT NULL AND d.rack_position IS NOT NULL AND t.u_height > 0 AND d.id = ANY(ids) AND d.id <> ALL(placed)) taken JOIN devices d ON d.id = taken.device_id
    ORDER BY taken.rack_id, taken.units LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'devices overlap in a rack' USING ERRCODE = 'exclusion_violation', CONSTRAINT = rule, DETAIL = (
      SELECT format('%s''%s'', which takes %s',
        CASE WHEN rule = 'ex_devices_rack_position' THEN '' ELSE format('''%s'' overlap ', refused.name) END,
        coalesce(d.name, 'another device'), rack_units_text(p.units, p.faces))
      FROM rack_placements p LEFT JOIN devices d ON d.id = p.device_id
      WHERE p.rack_id = refused.rack_id AND p.faces && refused.faces AND p.units && refused.units
      ORDER BY p.units LIMIT 1);
  END IF;
END
$$;

-- A target is a record of one of several tables. The column of its table has a foreign key, which ends with the record.
CREATE OR REPLACE FUNCTION point_target() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.site_id := CASE WHEN NEW.resource = 'sites' THEN NEW.record_id END;
  NEW.location_id := CASE WHEN NEW.resource = 'locations' THEN NEW.record_id END;
  NEW.rack_id := CASE WHEN NEW.resource = 'racks' THEN NEW.record_id END;
  NEW.device_id := CASE WHEN NEW.resource = 'devices' THEN NEW.record_id END;
  NEW.cluster_id := CASE WHEN NEW.resource = 'clusters' THEN NEW.record_id END;
  NEW.virtual_machine_id := CASE WHEN NEW.resource = 'virtual-machines' THEN NEW.record_id END;
  NEW.ip_address_id := CASE WHEN NEW.resource = 'ip-addresses' THEN NEW.record_id END;
  NEW.asset_id := CASE WHEN NEW.resource = 'assets' THEN NEW.record_id END;
  NEW.software_licence_id := CASE WHEN NEW.resource = 'software-licences' THEN NEW.record_id END;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER change_request_targets_point BEFORE INSERT OR UPDATE ON change_request_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER incident_targets_point BEFORE INSERT OR UPDATE ON incident_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

CREATE OR REPLACE TRIGGER maintenance_window_targets_point BEFORE INSERT OR UPDATE ON maintenance_window_targets FOR EACH ROW
  EXECUTE FUNCTION point_target();

-- The advisory lock of the prefixes of an address space.
CREATE OR REPLACE FUNCTION prefix_space_lock(space uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('prefix space ' || space, 0)
$$;

-- Deletes what is in no partition of its own month: entries from before the log had partitions, and those of odd times.
CREATE OR REPLACE FUNCTION prune_change_log(before timestamptz, most int) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET TimeZone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  cut constant timestamptz := date_trunc('month', before);
  part record;
  step bigint;
  pruned bigint := 0;
  latest timestamptz;
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE EXCEPTION 'The last day of the change log is always kept' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7260514402) THEN RETURN 0; END IF;
  PERFORM set_config('inventory.pruning', 'on', true);
  FOR part IN SELECT * FROM change_log_partitions() p
      WHERE p.starts IS NULL OR (p.starts < cut AND p.ends > cut) ORDER BY p.starts NULLS FIRST LOOP
    EXECUTE format('WITH gone AS (
        DELETE FROM change_log USING (SELECT id, created_at FROM %s WHERE created_at < $1 ORDER BY created_at, id LIMIT $2) old
        WHERE change_log.id = old.id AND change_log.created_at = old.created_at RETURNING change_log.created_at
      ) SELECT count(*), max(created_at) FROM gone', part.name) INTO step, latest USING cut, most - pruned;
    pruned := pruned + step;
    IF step > 0 THEN
      INSERT INTO change_log_pruned AS known (until) VALUES (latest)
        ON CONFLICT (single) DO UPDATE SET until = greatest(known.until, excluded.until);
    END IF;
  END LOOP;
  PERFORM set_config('inventory.pruning', 'off', true);
  RETURN pruned;
END
$$;

REVOKE ALL ON FUNCTION prune_change_log(timestamptz, int) FROM PUBLIC;

-- "units 10 to 11 of the front", from half units.
CREATE OR REPLACE FUNCTION rack_units_text(units int4range, faces int4range) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN upper(units) - lower(units) <= 2 THEN 'unit ' || trim_scale(lower(units) / 2.0)
      ELSE 'units ' || trim_scale(lower(units) / 2.0) || ' to ' || trim_scale(upper(units) / 2.0 - 1) END
    || CASE WHEN upper(faces) - lower(faces) = 2 THEN ' of both faces' WHEN lower(faces) = 0 THEN ' of the front' ELSE ' of the rear' END
$$;

-- A rack does not shrink below its devices, and one that moves takes them along.
CREATE OR REPLACE FUNCTION racks_placement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text;
BEGIN
  IF NEW.units < OLD.units OR (OLD.units IS NULL AND NEW.units IS NOT NULL) THEN
    outside := device_outside_rack(ARRAY(SELECT id FROM devices WHERE rack_id = NEW.id AND rack_position IS NOT NULL));
    IF outside IS NOT NULL THEN
      RAISE EXCEPTION 'a device would be outside the rack'
        USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'ex_racks_units', DETAIL = outside;
    END IF;
  END IF;
  IF (NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.site_id, OLD.location_id) THEN
    UPDATE devices SET
      site_id = CASE WHEN NEW.site_id IS NOT NULL OR site_id = OLD.site_id THEN NEW.site_id ELSE site_id END,
      location_id = CASE WHEN NEW.location_id IS NOT NULL OR location_id = OLD.location_id THEN NEW.location_id ELSE location_id END
    WHERE rack_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER racks_placement AFTER UPDATE OF units, site_id, location_id ON racks
  FOR EACH ROW WHEN ((NEW.units, NEW.site_id, NEW.location_id) IS DISTINCT FROM (OLD.units, OLD.site_id, OLD.location_id))
  EXECUTE FUNCTION racks_placement();

-- Tells every replica whose sessions it must look up anew: the profile of a session that ended, or that changed.
CREATE OR REPLACE FUNCTION session_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_changes', CASE TG_TABLE_NAME WHEN 'sessions' THEN to_jsonb(OLD)->>'profile_id' ELSE OLD.id::text END);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER sessions_changes AFTER DELETE OR UPDATE OF profile_id, token_hash, expires_at ON sessions FOR EACH ROW
  EXECUTE FUNCTION session_changes();

CREATE OR REPLACE TRIGGER profiles_changes AFTER DELETE OR UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION session_changes();

-- Writers of prefixes share their space with each other, and wait for an allocation, which has it alone.
CREATE OR REPLACE FUNCTION share_prefix_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(prefix_space_lock(coalesce(NEW.vrf_id, '00000000-0000-0000-0000-000000000000')));
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER prefixes_space BEFORE INSERT OR UPDATE OF prefix, vrf_id ON prefixes FOR EACH ROW
  EXECUTE FUNCTION share_prefix_space();

-- Tells every replica whose tokens it must look up anew. A token that is renamed is too: the change log has its name.
CREATE OR REPLACE FUNCTION token_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_changes', OLD.profile_id::text);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tokens_changes
  AFTER DELETE OR UPDATE OF name, profile_id, prefix, secret_hash, role, areas, read_only, allowed_networks, expires_at ON tokens
  FOR EACH ROW EXECUTE FUNCTION token_changes();

-- The range of a VLAN group does not exclude a VLAN of the group.
CREATE OR REPLACE FUNCTION vlan_groups_range() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM vlans WHERE vlan_group_id = NEW.id
      AND vid NOT BETWEEN coalesce(NEW.min_vid, 1) AND coalesce(NEW.max_vid, 4094)) THEN
    RAISE EXCEPTION 'the range of the VLAN group excludes one of its VLANs'
      USING ERRCODE = 'unique_violation', TABLE = 'vlan_groups', CONSTRAINT = 'uq_vlan_groups_range';
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER vlan_groups_range AFTER UPDATE OF min_vid, max_vid ON vlan_groups
  FOR EACH ROW WHEN ((OLD.min_vid, OLD.max_vid) IS DISTINCT FROM (NEW.min_vid, NEW.max_vid))
  EXECUTE FUNCTION vlan_groups_range();

-- The vid of a VLAN is within the range of its group. The lock makes a VLAN wait for a change of that range, and for the
-- allocation of free vids, which holds the group.
CREATE OR REPLACE FUNCTION vlans_range() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lowest int;
  highest int;
BEGIN
  SELECT coalesce(min_vid, 1), coalesce(max_vid, 4094) INTO lowest, highest
    FROM vlan_groups WHERE id = NEW.vlan_group_id FOR SHARE;
  IF FOUND AND NEW.vid NOT BETWEEN lowest AND highest THEN
    RAISE EXCEPTION 'vid is outside the range of the VLAN group'
      USING ERRCODE = 'check_violation', TABLE = 'vlans', CONSTRAINT = 'ck_vlans_range';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER vlans_range BEFORE INSERT OR UPDATE OF vid, vlan_group_id ON vlans
  FOR EACH ROW WHEN (NEW.vlan_group_id IS NOT NULL) EXECUTE FUNCTION vlans_range();

-- A record that was deleted before its table got a column has that column's default.
CREATE OR REPLACE FUNCTION with_defaults(table_name regclass, record jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  missing text;
  defaults jsonb;
BEGIN
  SELECT string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ') INTO missing
    FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = table_name AND a.attgenerated = '' AND NOT record ? a.attname;
  IF missing IS NULL THEN RETURN record; END IF;
  EXECUTE format('SELECT jsonb_build_object(%s)', missing) INTO defaults;
  RETURN defaults || record;
END
$$;

-- The JSON of a record, without its secrets.
CREATE OR REPLACE FUNCTION withhold(record jsonb, secrets text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT record || coalesce(
    (SELECT jsonb_object_agg(key, '(withheld)') FROM jsonb_each(record) WHERE key = ANY(secrets) AND value <> 'null'), '{}')
$$;
