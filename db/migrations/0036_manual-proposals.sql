-- A manual write is a proposal with a requester and without an alert (docs/adr/0014-one-approval-path.md).
ALTER TABLE "proposals" ALTER COLUMN "alert_uuid" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "proposals" ALTER COLUMN "investigation_no" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "requested_by" text;
--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "requested_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_origin" CHECK (num_nonnulls(alert_uuid, requested_by_uuid) = 1);
--> statement-breakpoint
CREATE INDEX "proposals_manual" ON "proposals" USING btree ("organization_uuid","proposal_uuid") WHERE alert_uuid is null;
--> statement-breakpoint
-- The unended writes. A write that may have been sent continues as `running`, so that the service looks it up by its key, which is the run's id.
INSERT INTO "proposals" ("proposal_uuid", "organization_uuid", "requested_by", "requested_by_uuid", "proposal_key", "connection_uuid", "connector_key",
	"verb", "skill_id", "input", "reason", "assets", "state", "held_because", "proposed_at", "expires_at", "error")
SELECT "run_uuid", "organization_uuid", "asked_by", "asked_by_uuid", 'manual/' || "run_uuid", "connection_uuid", "connector_key",
	"verb", "skill_id", "input", 'Requested by ' || "asked_by" || '.', "assets",
	CASE WHEN "state" = 'proposed' THEN 'waiting' WHEN "is_reserved" THEN 'running' ELSE 'approved' END,
	CASE WHEN "state" = 'running' AND NOT "is_reserved" THEN "error"->>'message' END,
	"asked_at",
	CASE WHEN "state" = 'proposed' THEN now() + interval '72 hours' END,
	CASE WHEN "state" = 'proposed' THEN "error" END
FROM "skill_runs", LATERAL (SELECT EXISTS (
	SELECT FROM "skill_results" WHERE "operation_key" = "skill_runs"."run_uuid"::text AND "status" <> 'failed') AS "is_reserved") AS "reserved"
WHERE "state" = 'proposed' OR "state" = 'running' AND ("is_reserved" OR "skill_key" IN (
	'endpointDetection.createIndicator', 'endpointDetection.isolateMachine', 'endpointDetection.unisolateMachine',
	'endpointDetection.runAntivirusScan', 'endpointDetection.collectInvestigationPackage', 'endpointDetection.runLiveResponse',
	'malwareProtection.createEventStream'));
--> statement-breakpoint
INSERT INTO "proposal_decisions" ("proposal_uuid", "principal_uuid", "by", "decision", "at")
SELECT "proposal_uuid", "requested_by_uuid", "requested_by", 'approve', "proposed_at" FROM "proposals" WHERE "alert_uuid" IS NULL;
--> statement-breakpoint
-- The run has only the name of the second person. Without the audit entry, a second person approves again where one is needed.
INSERT INTO "proposal_decisions" ("proposal_uuid", "principal_uuid", "by", "decision", "at")
SELECT DISTINCT ON ("run_uuid") "run_uuid", "principal_uuid", "principal_name", 'approve', "audit_log"."at"
FROM "proposals" JOIN "skill_runs" ON "run_uuid" = "proposal_uuid" JOIN "audit_log" ON "target" = "run_uuid"::text
WHERE "alert_uuid" IS NULL AND "skill_runs"."state" = 'running' AND "decided_by" IS NOT NULL AND "action" = 'skill.approve'
	AND "principal_uuid" IS NOT NULL
ORDER BY "run_uuid", "audit_log"."at" DESC
ON CONFLICT DO NOTHING;
--> statement-breakpoint
DELETE FROM "skill_runs" USING "proposals" WHERE "run_uuid" = "proposal_uuid";
--> statement-breakpoint
DROP INDEX "skill_runs_proposed";
