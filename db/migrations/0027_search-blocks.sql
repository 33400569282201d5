-- A search reads the newest alerts first. The index has each word once for a block of some thousand alerts, so that a search ends with the block
-- that fills the page. Alerts before the first row belong to block 0.
CREATE TABLE "search_blocks" (
	"block_no" integer PRIMARY KEY NOT NULL,
	"first_alert_uuid" uuid NOT NULL
);
--> statement-breakpoint
INSERT INTO "search_blocks"
SELECT "place" / 8192, "alert_uuid" FROM (SELECT "alert_uuid", row_number() OVER (ORDER BY "alert_uuid") AS "place" FROM "alert_texts") AS "placed"
WHERE "place" % 8192 = 0;--> statement-breakpoint
CREATE UNIQUE INDEX "search_blocks_first_alert_key" ON "search_blocks" USING btree ("first_alert_uuid");--> statement-breakpoint
CREATE FUNCTION "search_block"("alert_uuid" uuid) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((SELECT "block_no" FROM "search_blocks" WHERE "first_alert_uuid" <= "alert_uuid" ORDER BY "first_alert_uuid" DESC LIMIT 1), 0)
$$;--> statement-breakpoint
-- A word of a tsvector has at most 2,046 bytes.
CREATE FUNCTION "block_words"("block_no" integer, "words" tsvector) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array(SELECT "block_no" || '/' || left("lexeme", 500) FROM unnest("words")))
$$;--> statement-breakpoint
DROP INDEX "alert_texts_by_word";--> statement-breakpoint
ALTER TABLE "alert_texts" ADD COLUMN "block_no" integer;--> statement-breakpoint
UPDATE "alert_texts" SET "block_no" = search_block("alert_uuid");--> statement-breakpoint
ALTER TABLE "alert_texts" ALTER COLUMN "block_no" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_texts_by_word" ON "alert_texts" USING gin (block_words("block_no", "words")) WITH (fastupdate=false);--> statement-breakpoint
-- The newest alerts of an organization (all of them without one) before an alert, at most as many as wanted (all without a number), whose words match
-- both queries. The index finds those that match `indexed`. It has no positions and cannot find what a query excludes: the words themselves are
-- compared for that.
CREATE FUNCTION "find_words"("indexed" tsquery, "query" tsquery, "organization" uuid, "before" uuid, "wanted" integer) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  lookup text := regexp_replace(querytree(indexed), '<(-|\d+)>', '&', 'g');
  is_found_by_index boolean := lookup = query::text;
  block record;
  matches integer;
BEGIN
  IF numnode(query) = 0 THEN RETURN; END IF;
  IF lookup IN ('', 'T') THEN
    RETURN QUERY
      SELECT alert_uuid FROM alert_texts JOIN alerts USING (alert_uuid)
      WHERE alert_uuid < before AND words @@ query AND (organization IS NULL OR organization_uuid = organization)
      ORDER BY alert_uuid DESC LIMIT wanted;
    RETURN;
  END IF;
  FOR block IN SELECT block_no AS no FROM search_blocks WHERE first_alert_uuid < before UNION ALL SELECT 0 ORDER BY no DESC LOOP
    -- Materialized, so that Postgres does not scan all alerts back from the newest.
    RETURN QUERY
      WITH found AS MATERIALIZED (
        SELECT alert_uuid FROM alert_texts
        WHERE block_words(block_no, words) @@ regexp_replace(lookup, '''((?:[^'']|'''')*)''', '''' || block.no || '/\1''', 'g')::tsquery
          AND (is_found_by_index OR words @@ query)
      )
      SELECT alert_uuid FROM found
      WHERE alert_uuid < before
        AND (organization IS NULL OR (SELECT organization_uuid FROM alerts WHERE alerts.alert_uuid = found.alert_uuid) = organization)
      ORDER BY alert_uuid DESC LIMIT wanted;
    GET DIAGNOSTICS matches = ROW_COUNT;
    wanted := wanted - matches;
    EXIT WHEN wanted <= 0;
  END LOOP;
END $$;
