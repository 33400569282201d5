CREATE TABLE "inbox_entries" (
	"entry_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"event_no" bigint NOT NULL,
	"user_uuid" uuid NOT NULL,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "inbox_preferences" (
	"user_uuid" uuid PRIMARY KEY NOT NULL,
	"preferences" jsonb NOT NULL,
	"modified_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD COLUMN "is_digest" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD COLUMN "not_before" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD COLUMN "quiet_hours" jsonb;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD COLUMN "digest" jsonb;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD COLUMN "critical_at_once" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "inbox_entries" ADD CONSTRAINT "inbox_entries_event_no_notification_events_event_no_fk" FOREIGN KEY ("event_no") REFERENCES "public"."notification_events"("event_no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_entries" ADD CONSTRAINT "inbox_entries_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_preferences" ADD CONSTRAINT "inbox_preferences_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_entries_key" ON "inbox_entries" USING btree ("event_no","user_uuid");--> statement-breakpoint
CREATE INDEX "inbox_entries_by_user" ON "inbox_entries" USING btree ("user_uuid","entry_uuid");--> statement-breakpoint
CREATE INDEX "inbox_entries_unread" ON "inbox_entries" USING btree ("user_uuid","entry_uuid") WHERE read_at is null;--> statement-breakpoint
-- The author of an assignment and the mentions of a comment are written in the same transaction, so the deferred triggers see them.
CREATE OR REPLACE FUNCTION notify_of_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_ARGV[0]
    WHEN 'case.opened' THEN
      PERFORM record_case_event(TG_ARGV[0], NEW.case_uuid, jsonb_build_object('alert_id', (SELECT alert_id FROM alerts WHERE alert_uuid = NEW.alert_uuid)));
    WHEN 'case.verdict_changed' THEN
      PERFORM record_case_event(TG_ARGV[0], NEW.case_uuid, jsonb_build_object(
        'previous_verdict', coalesce(OLD.analyst_verdict, OLD.verdict), 'previous_severity', OLD.severity));
    WHEN 'case.assigned' THEN
      PERFORM record_case_event(TG_ARGV[0], NEW.case_uuid, jsonb_build_object('previous_assignee', OLD.assignee, 'assigned_by', (
        SELECT "by" FROM case_timeline WHERE case_uuid = NEW.case_uuid AND kind = 'assignee' ORDER BY entry_no DESC LIMIT 1)));
  END CASE;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION notify_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_case_event('case.commented', NEW.case_uuid, jsonb_build_object('author', to_jsonb(NEW) -> 'by', 'mentions', to_jsonb(ARRAY(
    SELECT name FROM case_mentions WHERE case_uuid = NEW.case_uuid AND entry_no = NEW.entry_no ORDER BY name))));
  RETURN NULL;
END
$$;
