CREATE TABLE "rule_changes" (
	"organization_uuid" uuid NOT NULL,
	"change" text NOT NULL,
	"target" uuid NOT NULL,
	"value" integer,
	"asked_by" text NOT NULL,
	"asked_by_uuid" uuid NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "rule_changes_organization_uuid_change_target_pk" PRIMARY KEY("organization_uuid","change","target")
);
--> statement-breakpoint
ALTER TABLE "skill_results" ADD COLUMN "sent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "skill_runs" ADD COLUMN "assets" jsonb;--> statement-breakpoint
ALTER TABLE "rule_changes" ADD CONSTRAINT "rule_changes_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;