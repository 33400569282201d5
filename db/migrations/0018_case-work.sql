CREATE TABLE "case_attachments" (
	"attachment_uuid" uuid PRIMARY KEY NOT NULL,
	"case_uuid" uuid NOT NULL,
	"name" text NOT NULL,
	"size" integer NOT NULL,
	"sha256" text NOT NULL,
	"added_by" text NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "case_mentions" (
	"entry_no" bigint NOT NULL,
	"case_uuid" uuid NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "case_mentions_case_uuid_entry_no_name_pk" PRIMARY KEY("case_uuid","entry_no","name")
);
--> statement-breakpoint
CREATE TABLE "case_tasks" (
	"task_uuid" uuid PRIMARY KEY NOT NULL,
	"case_uuid" uuid NOT NULL,
	"title" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"done_by" text,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "task_templates" (
	"template_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"alert_type" text NOT NULL,
	"tasks" text[] NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "case_attachments" ADD CONSTRAINT "case_attachments_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_mentions" ADD CONSTRAINT "case_mentions_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_tasks" ADD CONSTRAINT "case_tasks_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_templates" ADD CONSTRAINT "task_templates_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "case_attachments_by_case" ON "case_attachments" USING btree ("case_uuid","attachment_uuid");--> statement-breakpoint
CREATE INDEX "case_tasks_by_case" ON "case_tasks" USING btree ("case_uuid","task_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "task_templates_key" ON "task_templates" USING btree ("organization_uuid",lower("alert_type"));