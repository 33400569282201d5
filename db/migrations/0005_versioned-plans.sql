INSERT INTO "playbook_plans" ("playbook_uuid", "version", "plan", "created_at")
SELECT "playbook_uuid", "version", "plan", "created_at" FROM "playbooks" WHERE "plan" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "playbooks" DROP COLUMN "plan";--> statement-breakpoint
INSERT INTO "investigations" ("alert_uuid", "investigation_no", "playbook_uuid", "status", "attempt", "verdict", "score", "confidence", "severity", "summary", "started_at", "ended_at")
SELECT "alerts"."alert_uuid", "investigation_no", "playbook_uuid", CASE "investigation_status" WHEN 15 THEN 'Completed' ELSE 'Failed' END,
  "investigation_retry_count" + 1, "verdict", "score", "confidence", "severity", "summary", "opened_at", coalesce("completed_at", "alerts"."modified_at")
FROM "alerts" JOIN "case_alerts" ON "case_alerts"."alert_uuid" = "alerts"."alert_uuid" JOIN "cases" ON "cases"."case_uuid" = "case_alerts"."case_uuid"
WHERE "investigation_status" IN (15, 20) AND "playbook_uuid" IS NOT NULL;
