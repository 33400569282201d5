-- Finds parts of words. The owner of the database may create it: it is a trusted extension.
CREATE EXTENSION IF NOT EXISTS "pg_trgm";--> statement-breakpoint
CREATE TABLE "entity_values" (
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"digest" uuid GENERATED ALWAYS AS (md5(value)::uuid) STORED NOT NULL,
	CONSTRAINT "entity_values_organization_uuid_kind_digest_pk" PRIMARY KEY("organization_uuid","kind","digest")
);
--> statement-breakpoint
INSERT INTO "entity_values" ("organization_uuid", "kind", "value") SELECT DISTINCT "organization_uuid", "kind", "value" FROM "alert_entities";--> statement-breakpoint
-- The share of values that contain a text decides how they are found; the default sample does not show shares below one percent.
ALTER TABLE "entity_values" ALTER COLUMN "value" SET STATISTICS 1000;--> statement-breakpoint
ALTER TABLE "cases" ALTER COLUMN "title" SET STATISTICS 1000;--> statement-breakpoint
CREATE INDEX "entity_values_by_part" ON "entity_values" USING gin ("value" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "case_timeline_comments" ON "case_timeline" USING gin ("text" gin_trgm_ops) WHERE kind = 'comment';--> statement-breakpoint
CREATE INDEX "cases_by_title" ON "cases" USING gin ("title" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "evidence_findings" ON "evidence" USING gin ("reason" gin_trgm_ops,"title" gin_trgm_ops) WHERE points <> 0;
