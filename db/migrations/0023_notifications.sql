CREATE TABLE "notification_channels" (
	"channel_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"blocked_until" timestamp(3) with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"modified_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"delivery_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"event_no" bigint NOT NULL,
	"channel_uuid" uuid NOT NULL,
	"subject_uuid" uuid NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "notification_events" (
	"event_no" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_events_event_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_uuid" uuid NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"name" text NOT NULL,
	"subject_uuid" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"routed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "notification_messages" (
	"channel_uuid" uuid NOT NULL,
	"matter" text NOT NULL,
	"reference" jsonb NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "notification_messages_channel_uuid_matter_pk" PRIMARY KEY("channel_uuid","matter")
);
--> statement-breakpoint
CREATE TABLE "notification_rules" (
	"rule_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"channel_uuid" uuid NOT NULL,
	"name" text NOT NULL,
	"events" jsonb NOT NULL,
	"min_severity" text,
	"verdicts" jsonb NOT NULL,
	"assignee" text,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"modified_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_secrets" (
	"channel_uuid" uuid NOT NULL,
	"field" text NOT NULL,
	"master_key_id" text NOT NULL,
	"wrapped_key" text NOT NULL,
	"ciphertext" text NOT NULL,
	"valid_until" timestamp with time zone,
	CONSTRAINT "notification_secrets_channel_uuid_field_pk" PRIMARY KEY("channel_uuid","field")
);
--> statement-breakpoint
CREATE TABLE "notification_subjects" (
	"subject_uuid" uuid PRIMARY KEY NOT NULL,
	"last_sequence" bigint NOT NULL,
	"last_name" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "remote_agents" ADD COLUMN "away_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "announced_expiry_on" date;--> statement-breakpoint
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_event_no_notification_events_event_no_fk" FOREIGN KEY ("event_no") REFERENCES "public"."notification_events"("event_no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_channel_uuid_notification_channels_channel_uuid_fk" FOREIGN KEY ("channel_uuid") REFERENCES "public"."notification_channels"("channel_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_messages" ADD CONSTRAINT "notification_messages_channel_uuid_notification_channels_channel_uuid_fk" FOREIGN KEY ("channel_uuid") REFERENCES "public"."notification_channels"("channel_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_channel_uuid_notification_channels_channel_uuid_fk" FOREIGN KEY ("channel_uuid") REFERENCES "public"."notification_channels"("channel_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_secrets" ADD CONSTRAINT "notification_secrets_channel_uuid_notification_channels_channel_uuid_fk" FOREIGN KEY ("channel_uuid") REFERENCES "public"."notification_channels"("channel_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_channels_name_key" ON "notification_channels" USING btree ("organization_uuid","name");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_deliveries_key" ON "notification_deliveries" USING btree ("event_no","channel_uuid");--> statement-breakpoint
CREATE INDEX "notification_deliveries_due" ON "notification_deliveries" USING btree ("channel_uuid","next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "notification_deliveries_order" ON "notification_deliveries" USING btree ("channel_uuid","subject_uuid","event_no") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_organization" ON "notification_deliveries" USING btree ("organization_uuid","delivery_uuid");--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_channel" ON "notification_deliveries" USING btree ("channel_uuid","delivery_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_events_event_key" ON "notification_events" USING btree ("event_uuid");--> statement-breakpoint
CREATE INDEX "notification_events_unrouted" ON "notification_events" USING btree ("event_no") WHERE routed_at is null;--> statement-breakpoint
CREATE INDEX "notification_events_by_subject" ON "notification_events" USING btree ("subject_uuid");--> statement-breakpoint
CREATE INDEX "notification_events_by_age" ON "notification_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notification_messages_by_age" ON "notification_messages" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "notification_rules_by_organization" ON "notification_rules" USING btree ("organization_uuid","rule_uuid");--> statement-breakpoint
CREATE INDEX "notification_secrets_by_key" ON "notification_secrets" USING btree ("master_key_id");--> statement-breakpoint
-- Notification events. Each trigger is deferred: it runs when the transaction commits, after all of its other locks.
CREATE FUNCTION record_event(event_name text, organization uuid, subject uuid, facts jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  next_sequence bigint;
BEGIN
  INSERT INTO notification_subjects AS known (subject_uuid, last_sequence, last_name) VALUES (subject, 1, event_name)
  ON CONFLICT (subject_uuid) DO UPDATE SET last_sequence = known.last_sequence + 1,
    last_name = CASE event_name WHEN 'secret.expiring' THEN known.last_name ELSE event_name END
  RETURNING last_sequence INTO next_sequence;
  INSERT INTO notification_events (event_uuid, organization_uuid, name, subject_uuid, sequence, data, at)
  VALUES (gen_random_uuid(), organization, event_name, subject, next_sequence, facts, clock_timestamp());
END
$$;
--> statement-breakpoint
CREATE FUNCTION record_case_event(event_name text, the_case uuid, facts jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT record_event(event_name, organization_uuid, case_uuid, facts || jsonb_build_object(
    'case_id', case_id, 'severity', severity, 'verdict', coalesce(analyst_verdict, verdict), 'assignee', assignee))
  FROM cases WHERE case_uuid = the_case
$$;
--> statement-breakpoint
CREATE FUNCTION notify_of_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_ARGV[0]
    WHEN 'case.opened' THEN
      PERFORM record_case_event(TG_ARGV[0], NEW.case_uuid, jsonb_build_object('alert_id', (SELECT alert_id FROM alerts WHERE alert_uuid = NEW.alert_uuid)));
    WHEN 'case.verdict_changed' THEN
      PERFORM record_case_event(TG_ARGV[0], NEW.case_uuid, jsonb_build_object(
        'previous_verdict', coalesce(OLD.analyst_verdict, OLD.verdict), 'previous_severity', OLD.severity));
    WHEN 'case.assigned' THEN
      PERFORM record_case_event(TG_ARGV[0], NEW.case_uuid, jsonb_build_object('previous_assignee', OLD.assignee));
  END CASE;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION notify_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_case_event('case.commented', NEW.case_uuid, jsonb_build_object('author', to_jsonb(NEW) -> 'by'));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION notify_of_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_case_event('alert.failed', case_uuid, jsonb_build_object('alert_id', NEW.alert_id))
  FROM case_alerts WHERE alert_uuid = NEW.alert_uuid;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION notify_of_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_case_event(TG_ARGV[0], case_uuid,
    jsonb_build_object('alert_id', alert_id, 'proposal_id', NEW.proposal_uuid, 'skill_id', NEW.skill_id)
      || CASE TG_ARGV[0] WHEN 'proposal.decided' THEN jsonb_build_object('decision', NEW.state) ELSE '{}' END)
  FROM case_alerts JOIN alerts USING (alert_uuid) WHERE alert_uuid = NEW.alert_uuid;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION notify_of_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- New credentials make a broken connection untested first, so the last event tells whether it was broken.
  IF TG_ARGV[0] <> 'connection.restored' OR EXISTS (
    SELECT FROM notification_subjects WHERE subject_uuid = NEW.connection_uuid AND last_name = 'connection.broken'
  ) THEN
    PERFORM record_event(TG_ARGV[0], NEW.organization_uuid, NEW.connection_uuid, jsonb_build_object(
      'connection_id', NEW.connection_uuid, 'connector', NEW.connector, 'instance_name', NEW.instance_name)
      || CASE TG_ARGV[0] WHEN 'secret.expiring' THEN jsonb_build_object('expires_on', NEW.secret_expires_on) ELSE '{}' END);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION notify_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event('agent.away', NEW.organization_uuid, NEW.agent_uuid, jsonb_build_object(
    'agent_id', NEW.agent_uuid, 'name', NEW.name, 'last_seen_at', extract(epoch FROM NEW.last_seen_at)::bigint));
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- A restore and an erasure set this for their transaction: they change rows, but nothing happened.
CREATE FUNCTION writes_events() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_setting('alert_investigator.without_events', true) IS DISTINCT FROM 'on'
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER case_opened AFTER INSERT ON "cases" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_events()) EXECUTE FUNCTION notify_of_case('case.opened');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER case_verdict_changed AFTER UPDATE OF verdict, analyst_verdict, severity ON "cases" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((coalesce(NEW.analyst_verdict, NEW.verdict), NEW.severity) IS DISTINCT FROM (coalesce(OLD.analyst_verdict, OLD.verdict), OLD.severity)
    AND writes_events()) EXECUTE FUNCTION notify_of_case('case.verdict_changed');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER case_assigned AFTER UPDATE OF assignee ON "cases" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.assignee IS DISTINCT FROM OLD.assignee AND writes_events()) EXECUTE FUNCTION notify_of_case('case.assigned');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER case_commented AFTER INSERT ON "case_timeline" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.kind = 'comment' AND writes_events()) EXECUTE FUNCTION notify_of_comment();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER alert_failed AFTER UPDATE OF investigation_status ON "alerts" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.investigation_status = 20 AND OLD.investigation_status <> 20 AND writes_events()) EXECUTE FUNCTION notify_of_alert();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER proposal_made AFTER INSERT ON "proposals" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'waiting' AND writes_events()) EXECUTE FUNCTION notify_of_proposal('proposal.waiting');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER proposal_waiting AFTER UPDATE OF state ON "proposals" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'waiting' AND OLD.state <> 'waiting' AND writes_events()) EXECUTE FUNCTION notify_of_proposal('proposal.waiting');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER proposal_decided AFTER UPDATE OF state ON "proposals" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state IN ('approved', 'refused', 'expired', 'withdrawn') AND OLD.state IN ('waiting', 'approved') AND NEW.state <> OLD.state
    AND writes_events()) EXECUTE FUNCTION notify_of_proposal('proposal.decided');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER action_failed AFTER UPDATE OF state ON "proposals" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'failed' AND OLD.state <> 'failed' AND writes_events()) EXECUTE FUNCTION notify_of_proposal('action.failed');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER connection_broken AFTER UPDATE OF state ON "connections" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'broken' AND OLD.state <> 'broken' AND writes_events()) EXECUTE FUNCTION notify_of_connection('connection.broken');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER connection_restored AFTER UPDATE OF state ON "connections" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'working' AND OLD.state <> 'working' AND writes_events()) EXECUTE FUNCTION notify_of_connection('connection.restored');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER agent_away AFTER UPDATE OF away_since ON "remote_agents" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.away_since IS NOT NULL AND OLD.away_since IS NULL AND writes_events()) EXECUTE FUNCTION notify_of_agent();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER secret_expiring AFTER UPDATE OF announced_expiry_on ON "connections" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.announced_expiry_on IS NOT NULL AND NEW.announced_expiry_on IS DISTINCT FROM OLD.announced_expiry_on AND writes_events())
  EXECUTE FUNCTION notify_of_connection('secret.expiring');
