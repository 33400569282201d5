CREATE TABLE "case_tags" (
	"case_uuid" uuid NOT NULL,
	"tag" text NOT NULL,
	CONSTRAINT "case_tags_case_uuid_tag_pk" PRIMARY KEY("case_uuid","tag")
);
--> statement-breakpoint
CREATE TABLE "case_visits" (
	"key_uuid" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"last_visit_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"view_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid,
	"key_uuid" uuid NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"filters" jsonb NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "severity_rank" smallint GENERATED ALWAYS AS (case severity when 'critical' then 5 when 'high' then 4 when 'medium' then 3 when 'low' then 2 when 'informational' then 1 else 0 end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "case_tags" ADD CONSTRAINT "case_tags_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_visits" ADD CONSTRAINT "case_visits_key_uuid_api_keys_key_uuid_fk" FOREIGN KEY ("key_uuid") REFERENCES "public"."api_keys"("key_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_key_uuid_api_keys_key_uuid_fk" FOREIGN KEY ("key_uuid") REFERENCES "public"."api_keys"("key_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "case_tags_by_tag" ON "case_tags" USING btree ("tag","case_uuid");--> statement-breakpoint
CREATE INDEX "saved_views_by_key" ON "saved_views" USING btree ("key_uuid","view_uuid");--> statement-breakpoint
CREATE INDEX "saved_views_shared" ON "saved_views" USING btree ("organization_uuid","view_uuid") WHERE is_shared;--> statement-breakpoint
CREATE INDEX "alerts_by_completion" ON "alerts" USING btree ("completed_at","alert_uuid") WHERE completed_at is not null;--> statement-breakpoint
CREATE INDEX "cases_by_opening_alert" ON "cases" USING btree ("alert_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_severity_rank" ON "cases" USING btree ("severity_rank","case_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_organization_severity_rank" ON "cases" USING btree ("organization_uuid","severity_rank","case_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_change" ON "cases" USING btree ("modified_at");--> statement-breakpoint
CREATE INDEX "cases_by_organization_change" ON "cases" USING btree ("organization_uuid","modified_at");