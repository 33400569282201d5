ALTER TABLE "connection_turns" RENAME TO "rate_limit_buckets";
--> statement-breakpoint
ALTER TABLE "rate_limit_buckets" RENAME CONSTRAINT "connection_turns_connection_uuid_second_pk" TO "rate_limit_buckets_connection_uuid_second_pk";
--> statement-breakpoint
ALTER TABLE "rate_limit_buckets" RENAME CONSTRAINT "connection_turns_connection_uuid_connections_connection_uuid_fk" TO "rate_limit_buckets_connection_uuid_connections_connection_uuid_fk";
--> statement-breakpoint
DROP FUNCTION "take_turn"(uuid, integer);
--> statement-breakpoint
-- Callers of a connection pass one after the other, and each counts all requests before it: no more than its rate in any minute.
CREATE FUNCTION "acquire_slot"("connection" uuid, "per_minute" integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  this_second bigint;
  used bigint;
  oldest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended("connection"::text, 60));
  this_second := floor(extract(epoch FROM clock_timestamp()));
  DELETE FROM rate_limit_buckets WHERE connection_uuid = "connection" AND second < this_second - 60;
  SELECT coalesce(sum(taken), 0), min(second) INTO used, oldest FROM rate_limit_buckets WHERE connection_uuid = "connection";
  IF used >= "per_minute" THEN
    RETURN greatest(1, oldest + 61 - this_second);
  END IF;
  INSERT INTO rate_limit_buckets (connection_uuid, second, taken) VALUES ("connection", this_second, 1)
  ON CONFLICT (connection_uuid, second) DO UPDATE SET taken = rate_limit_buckets.taken + 1;
  RETURN 0;
END $$;
--> statement-breakpoint
ALTER TABLE "notification_messages" RENAME COLUMN "matter" TO "correlation_key";
--> statement-breakpoint
ALTER TABLE "notification_messages" RENAME CONSTRAINT "notification_messages_channel_uuid_matter_pk" TO "notification_messages_channel_uuid_correlation_key_pk";
--> statement-breakpoint
-- The triggers that called them are gone since 0032.
DROP FUNCTION "record_case_event"(text, uuid, jsonb);
--> statement-breakpoint
DROP FUNCTION "record_event"(text, uuid, uuid, jsonb);
--> statement-breakpoint
DROP FUNCTION "writes_events"();
