CREATE TABLE "connection_turns" (
	"connection_uuid" uuid NOT NULL,
	"second" bigint NOT NULL,
	"taken" integer NOT NULL,
	CONSTRAINT "connection_turns_connection_uuid_second_pk" PRIMARY KEY("connection_uuid","second")
);
--> statement-breakpoint
ALTER TABLE "connection_turns" ADD CONSTRAINT "connection_turns_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- One caller of a connection after the other, each with all that were counted before it: no more than its rate in any minute.
CREATE FUNCTION "take_turn"("connection" uuid, "per_minute" integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  this_second bigint;
  used bigint;
  oldest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended("connection"::text, 60));
  this_second := floor(extract(epoch FROM clock_timestamp()));
  DELETE FROM connection_turns WHERE connection_uuid = "connection" AND second < this_second - 60;
  SELECT coalesce(sum(taken), 0), min(second) INTO used, oldest FROM connection_turns WHERE connection_uuid = "connection";
  IF used >= "per_minute" THEN
    RETURN greatest(1, oldest + 61 - this_second);
  END IF;
  INSERT INTO connection_turns (connection_uuid, second, taken) VALUES ("connection", this_second, 1)
  ON CONFLICT (connection_uuid, second) DO UPDATE SET taken = connection_turns.taken + 1;
  RETURN 0;
END $$;
