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
