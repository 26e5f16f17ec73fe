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
