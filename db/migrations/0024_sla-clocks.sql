CREATE TABLE "case_clocks" (
	"case_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"stopped_at" timestamp with time zone,
	"pauses" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_stale" boolean DEFAULT false NOT NULL,
	"warn_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"warned_at" timestamp with time zone,
	"breached_at" timestamp with time zone,
	CONSTRAINT "case_clocks_case_uuid_kind_pk" PRIMARY KEY("case_uuid","kind")
);
--> statement-breakpoint
CREATE TABLE "sla_policies" (
	"organization_uuid" uuid PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"hours" jsonb NOT NULL,
	"holidays" jsonb NOT NULL,
	"warn_percent" smallint NOT NULL,
	"targets" jsonb NOT NULL,
	"modified_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "case_clocks" ADD CONSTRAINT "case_clocks_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_policies" ADD CONSTRAINT "sla_policies_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "case_clocks_stale" ON "case_clocks" USING btree ("case_uuid") WHERE is_stale;--> statement-breakpoint
CREATE INDEX "case_clocks_to_warn" ON "case_clocks" USING btree ("warn_at") WHERE stopped_at is null and warned_at is null and breached_at is null;--> statement-breakpoint
CREATE INDEX "case_clocks_to_breach" ON "case_clocks" USING btree ("due_at") WHERE stopped_at is null and breached_at is null;--> statement-breakpoint
CREATE INDEX "case_clocks_by_stop" ON "case_clocks" USING btree ("stopped_at") WHERE stopped_at is not null;--> statement-breakpoint
CREATE INDEX "case_clocks_by_breach" ON "case_clocks" USING btree ("breached_at") WHERE breached_at is not null;--> statement-breakpoint
CREATE INDEX "case_clocks_warned" ON "case_clocks" USING btree ("case_uuid") WHERE warned_at is not null and stopped_at is null and breached_at is null;--> statement-breakpoint
-- SLA clocks. Each trigger runs at once, after the lock of the case and before the deferred triggers of notification events.
CREATE FUNCTION has_sla(organization uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM sla_policies WHERE organization_uuid = organization)
$$;
--> statement-breakpoint
CREATE FUNCTION start_clocks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO case_clocks (case_uuid, kind, organization_uuid, started_at, stopped_at)
  VALUES (NEW.case_uuid, 'acknowledge', NEW.organization_uuid, NEW.opened_at, NEW.closed_at),
    (NEW.case_uuid, 'close', NEW.organization_uuid, NEW.opened_at, NEW.closed_at);
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- A stale clock may have another due time, so its breach is found when that is computed.
CREATE FUNCTION stop_clocks(the_case uuid, kinds text[], at timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE case_clocks SET stopped_at = at, breached_at = CASE WHEN due_at < at AND NOT is_stale THEN coalesce(breached_at, due_at) ELSE breached_at END
  WHERE case_uuid = the_case AND kind = ANY (kinds) AND stopped_at IS NULL
$$;
--> statement-breakpoint
CREATE FUNCTION follow_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'closed' AND OLD.status <> 'closed' THEN
    PERFORM stop_clocks(NEW.case_uuid, '{acknowledge,close}', NEW.closed_at);
  ELSIF NEW.status <> 'closed' AND OLD.status = 'closed' THEN
    -- A case that was closed before the service had clocks starts one.
    INSERT INTO case_clocks AS clock (case_uuid, kind, organization_uuid, started_at, is_stale)
    VALUES (NEW.case_uuid, 'close', NEW.organization_uuid, NEW.modified_at, has_sla(NEW.organization_uuid))
    ON CONFLICT (case_uuid, kind) DO UPDATE SET stopped_at = NULL, is_stale = clock.breached_at IS NULL AND excluded.is_stale,
      pauses = clock.pauses || jsonb_build_array(jsonb_build_array(
        extract(epoch FROM coalesce(clock.stopped_at, excluded.started_at))::bigint, extract(epoch FROM excluded.started_at)::bigint));
  END IF;
  -- A clock that stopped before the first verdict gets its due time with it.
  IF NEW.severity IS DISTINCT FROM OLD.severity AND has_sla(NEW.organization_uuid) THEN
    UPDATE case_clocks SET is_stale = true
    WHERE case_uuid = NEW.case_uuid AND breached_at IS NULL AND (stopped_at IS NULL OR OLD.severity IS NULL);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION acknowledge_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM stop_clocks(NEW.case_uuid, '{acknowledge}', NEW.at);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION notify_of_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_case_event(TG_ARGV[0], NEW.case_uuid, jsonb_build_object('clock', NEW.kind, 'due_at', extract(epoch FROM NEW.due_at)::bigint));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER clocks_started AFTER INSERT ON "cases" FOR EACH ROW WHEN (writes_events()) EXECUTE FUNCTION start_clocks();
--> statement-breakpoint
CREATE TRIGGER clocks_changed AFTER UPDATE OF status, severity ON "cases" FOR EACH ROW
  WHEN ((NEW.status, NEW.severity) IS DISTINCT FROM (OLD.status, OLD.severity) AND writes_events()) EXECUTE FUNCTION follow_case();
--> statement-breakpoint
CREATE TRIGGER case_acknowledged AFTER INSERT ON "case_timeline" FOR EACH ROW
  WHEN (NEW."by" IS NOT NULL AND writes_events()) EXECUTE FUNCTION acknowledge_case();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER sla_due_soon AFTER UPDATE OF warned_at ON "case_clocks" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.warned_at IS NOT NULL AND OLD.warned_at IS NULL AND writes_events()) EXECUTE FUNCTION notify_of_clock('sla.due_soon');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER sla_breached AFTER UPDATE OF breached_at ON "case_clocks" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.breached_at IS NOT NULL AND OLD.breached_at IS NULL AND writes_events()) EXECUTE FUNCTION notify_of_clock('sla.breached');
--> statement-breakpoint
-- Cases that are open now. The figures of the overview leave out the cases that are closed.
INSERT INTO "case_clocks" ("case_uuid", "kind", "organization_uuid", "started_at", "stopped_at")
SELECT "case_uuid", "kind", "organization_uuid", "opened_at",
  CASE "kind" WHEN 'acknowledge' THEN (SELECT min("at") FROM "case_timeline" AS "entry" WHERE "entry"."case_uuid" = "cases"."case_uuid" AND "by" IS NOT NULL) END
FROM "cases", unnest('{acknowledge,close}'::text[]) AS "kind" WHERE "status" <> 'closed';
