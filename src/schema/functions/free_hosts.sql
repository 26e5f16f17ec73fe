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
