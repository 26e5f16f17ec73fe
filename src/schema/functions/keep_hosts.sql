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
  other uuid;
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
    -- In the form in which PostgreSQL tells what an index refuses, so that the answer can name the address that was there before.
    SELECT a.id INTO other FROM unnest(spaces, hosts) t (space, host)
      JOIN vrfs v ON v.id = t.space AND v.enforce_unique
      JOIN ip_addresses a ON set_masklen(a.address, CASE family(a.address) WHEN 4 THEN 32 ELSE 128 END) = t.host
        AND a.vrf_id = t.space AND coalesce(a.role, '') NOT IN ('anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp')
      WHERE a.id NOT IN (SELECT id FROM new_rows) LIMIT 1;
    RAISE EXCEPTION 'a host is recorded in the VRF already'
      USING ERRCODE = 'unique_violation', TABLE = 'ip_addresses', CONSTRAINT = 'uq_ip_addresses_vrf_host',
        DETAIL = coalesce(format('Key (id)=(%s) already exists.', other), 'The statement has the host twice.');
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
    -- One by one, because statistics know no host with 0 times, and the plan for one would read all hosts. This transaction has written
    -- these rows, so nobody moves them.
    DELETE FROM address_hosts WHERE ctid = ANY (ARRAY(
      SELECT gone.ctid FROM unnest(spaces, hosts) t (space, host) CROSS JOIN LATERAL (
        SELECT h.ctid FROM address_hosts h WHERE h.space = t.space AND h.host = t.host AND h.times = 0 OFFSET 0
      ) gone
    ));
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
