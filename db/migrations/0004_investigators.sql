CREATE TABLE "follow_ups" (
	"alert_uuid" uuid NOT NULL,
	"investigation_no" integer NOT NULL,
	"reason" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"outcome" text,
	CONSTRAINT "follow_ups_alert_uuid_investigation_no_pk" PRIMARY KEY("alert_uuid","investigation_no")
);
--> statement-breakpoint
CREATE TABLE "investigations" (
	"alert_uuid" uuid NOT NULL,
	"investigation_no" integer NOT NULL,
	"playbook_uuid" uuid NOT NULL,
	"plan_version" integer,
	"status" text NOT NULL,
	"attempt" integer NOT NULL,
	"verdict" text,
	"score" smallint,
	"confidence" smallint,
	"severity" text,
	"summary" text DEFAULT '' NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "investigations_alert_uuid_investigation_no_pk" PRIMARY KEY("alert_uuid","investigation_no")
);
--> statement-breakpoint
CREATE TABLE "playbook_plans" (
	"playbook_uuid" uuid NOT NULL,
	"version" integer NOT NULL,
	"plan" jsonb NOT NULL,
	"author" text,
	"made_from" integer,
	"planner" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "playbook_plans_playbook_uuid_version_pk" PRIMARY KEY("playbook_uuid","version")
);
--> statement-breakpoint
CREATE TABLE "proposal_decisions" (
	"proposal_uuid" uuid NOT NULL,
	"principal_uuid" uuid NOT NULL,
	"by" text NOT NULL,
	"decision" text NOT NULL,
	"reason" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "proposal_decisions_proposal_uuid_principal_uuid_pk" PRIMARY KEY("proposal_uuid","principal_uuid")
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"proposal_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"alert_uuid" uuid NOT NULL,
	"investigation_no" integer NOT NULL,
	"proposal_key" text NOT NULL,
	"connection_uuid" uuid NOT NULL,
	"connector" text NOT NULL,
	"verb" text NOT NULL,
	"skill_id" text NOT NULL,
	"input" jsonb NOT NULL,
	"reason" text NOT NULL,
	"assets" jsonb,
	"state" text NOT NULL,
	"held_because" text,
	"release_after_hours" integer,
	"undo_of" uuid,
	"run_at" timestamp with time zone,
	"proposed_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"result_uuid" uuid,
	"outcome" text,
	"error" jsonb
);
--> statement-breakpoint
CREATE TABLE "protected_assets" (
	"asset_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"reason" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "response_rules" (
	"organization_uuid" uuid PRIMARY KEY NOT NULL,
	"writes_per_hour" integer,
	"stopped_at" timestamp with time zone,
	"stopped_by" text,
	"stop_reason" text
);
--> statement-breakpoint
CREATE TABLE "workflow_bundles" (
	"build_id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "plan_version" integer;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "reuse_before" uuid;--> statement-breakpoint
ALTER TABLE "case_alerts" ADD COLUMN "home_case_uuid" uuid;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "status_before_merge" text;--> statement-breakpoint
ALTER TABLE "playbooks" ADD COLUMN "severity" text;--> statement-breakpoint
ALTER TABLE "playbooks" ADD COLUMN "pinned_version" integer;--> statement-breakpoint
ALTER TABLE "playbook_plans" ADD CONSTRAINT "playbook_plans_playbook_uuid_playbooks_playbook_uuid_fk" FOREIGN KEY ("playbook_uuid") REFERENCES "public"."playbooks"("playbook_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposal_decisions" ADD CONSTRAINT "proposal_decisions_proposal_uuid_proposals_proposal_uuid_fk" FOREIGN KEY ("proposal_uuid") REFERENCES "public"."proposals"("proposal_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "protected_assets" ADD CONSTRAINT "protected_assets_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "response_rules" ADD CONSTRAINT "response_rules_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follow_ups_open" ON "follow_ups" USING btree ("due_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "investigations_by_playbook" ON "investigations" USING btree ("playbook_uuid","alert_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_key" ON "proposals" USING btree ("proposal_key");--> statement-breakpoint
CREATE INDEX "proposals_by_alert" ON "proposals" USING btree ("alert_uuid","proposal_uuid");--> statement-breakpoint
CREATE INDEX "proposals_by_organization" ON "proposals" USING btree ("organization_uuid","proposal_uuid");--> statement-breakpoint
CREATE INDEX "proposals_unended" ON "proposals" USING btree ("proposed_at") WHERE ended_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "protected_assets_key" ON "protected_assets" USING btree ("organization_uuid","kind",lower("value"));--> statement-breakpoint
CREATE INDEX "cases_by_merge" ON "cases" USING btree ("merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX "cases_by_analyst_verdict" ON "cases" USING btree ("case_uuid") WHERE analyst_verdict is not null;--> statement-breakpoint
CREATE INDEX "skill_results_writes" ON "skill_results" USING btree ("organization_uuid","started_at") WHERE operation_key is not null;