CREATE TABLE "alert_entities" (
	"alert_uuid" uuid NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"digest" uuid GENERATED ALWAYS AS (md5(value)::uuid) STORED NOT NULL,
	CONSTRAINT "alert_entities_alert_uuid_kind_digest_pk" PRIMARY KEY("alert_uuid","kind","digest")
);
--> statement-breakpoint
CREATE TABLE "alert_sequences" (
	"organization_uuid" uuid NOT NULL,
	"provider_uuid" uuid NOT NULL,
	"last_number" bigint NOT NULL,
	CONSTRAINT "alert_sequences_organization_uuid_provider_uuid_pk" PRIMARY KEY("organization_uuid","provider_uuid")
);
--> statement-breakpoint
CREATE TABLE "alert_texts" (
	"alert_uuid" uuid PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"alert_uuid" uuid PRIMARY KEY NOT NULL,
	"alert_id" text NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"provider_uuid" uuid NOT NULL,
	"alert_type" text NOT NULL,
	"alert_type_key" text NOT NULL,
	"alert_content" text NOT NULL,
	"created_at_source" bigint,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"modified_at" timestamp with time zone NOT NULL,
	"investigation_status" smallint DEFAULT 0 NOT NULL,
	"investigation_retry_count" integer DEFAULT 0 NOT NULL,
	"investigation_no" integer DEFAULT 1 NOT NULL,
	"dispatched_no" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"requeue_count" smallint DEFAULT 0 NOT NULL,
	"playbook_uuid" uuid,
	"completed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"key_uuid" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"organization_uuid" uuid,
	"lookup" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"entry_no" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_entry_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"principal_uuid" uuid,
	"principal_name" text NOT NULL,
	"organization_uuid" uuid,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"details" jsonb
);
--> statement-breakpoint
CREATE TABLE "case_alerts" (
	"alert_uuid" uuid PRIMARY KEY NOT NULL,
	"case_uuid" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "case_sequences" (
	"organization_uuid" uuid PRIMARY KEY NOT NULL,
	"last_number" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "case_timeline" (
	"entry_no" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "case_timeline_entry_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"case_uuid" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"by" text,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cases" (
	"case_uuid" uuid PRIMARY KEY NOT NULL,
	"case_id" text NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"alert_uuid" uuid NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"severity" text,
	"verdict" text,
	"score" smallint,
	"confidence" smallint,
	"summary" text DEFAULT '' NOT NULL,
	"assignee" text,
	"analyst_verdict" text,
	"analyst_verdict_reason" text,
	"opened_at" timestamp with time zone NOT NULL,
	"modified_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "evidence" (
	"alert_uuid" uuid NOT NULL,
	"investigation_no" integer NOT NULL,
	"attempt" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"source" jsonb,
	"title" text NOT NULL,
	"points" smallint NOT NULL,
	"reason" text NOT NULL,
	"techniques" text[] NOT NULL,
	CONSTRAINT "evidence_alert_uuid_investigation_no_attempt_step_pk" PRIMARY KEY("alert_uuid","investigation_no","attempt","step")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"principal_uuid" uuid NOT NULL,
	"key" text NOT NULL,
	"body_digest" text NOT NULL,
	"alert_uuid" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_principal_uuid_key_pk" PRIMARY KEY("principal_uuid","key")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"organization_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_code" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "playbook_alert_types" (
	"organization_uuid" uuid,
	"alert_type_key" text NOT NULL,
	"alert_type" text NOT NULL,
	"playbook_uuid" uuid NOT NULL,
	CONSTRAINT "playbook_alert_types_key" UNIQUE NULLS NOT DISTINCT("alert_type_key","organization_uuid")
);
--> statement-breakpoint
CREATE TABLE "playbooks" (
	"playbook_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid,
	"name" text NOT NULL,
	"origin" text NOT NULL,
	"workflow_type" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"plan" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"modified_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"provider_uuid" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"segment" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_alerts" ADD CONSTRAINT "case_alerts_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_timeline" ADD CONSTRAINT "case_timeline_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playbooks" ADD CONSTRAINT "playbooks_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_entities_by_value" ON "alert_entities" USING btree ("organization_uuid","kind","digest","alert_uuid");--> statement-breakpoint
CREATE INDEX "alert_texts_by_word" ON "alert_texts" USING gin ("words");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_alert_id_key" ON "alerts" USING btree ("alert_id");--> statement-breakpoint
CREATE INDEX "alerts_outbox" ON "alerts" USING btree ("organization_uuid","alert_uuid") WHERE dispatched_no < investigation_no;--> statement-breakpoint
CREATE INDEX "alerts_by_organization" ON "alerts" USING btree ("organization_uuid","alert_uuid");--> statement-breakpoint
CREATE INDEX "alerts_by_organization_status" ON "alerts" USING btree ("organization_uuid","investigation_status","alert_uuid");--> statement-breakpoint
CREATE INDEX "alerts_by_status" ON "alerts" USING btree ("investigation_status","alert_uuid");--> statement-breakpoint
CREATE INDEX "alerts_by_provider" ON "alerts" USING btree ("provider_uuid","alert_uuid");--> statement-breakpoint
CREATE INDEX "alerts_by_type" ON "alerts" USING btree ("alert_type_key","alert_uuid");--> statement-breakpoint
CREATE INDEX "alerts_by_creator" ON "alerts" USING btree ("created_by","alert_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_lookup_key" ON "api_keys" USING btree ("lookup");--> statement-breakpoint
CREATE INDEX "audit_log_by_organization" ON "audit_log" USING btree ("organization_uuid","entry_no");--> statement-breakpoint
CREATE INDEX "case_alerts_by_case" ON "case_alerts" USING btree ("case_uuid");--> statement-breakpoint
CREATE INDEX "case_timeline_by_case" ON "case_timeline" USING btree ("case_uuid","entry_no");--> statement-breakpoint
CREATE UNIQUE INDEX "cases_case_id_key" ON "cases" USING btree ("case_id");--> statement-breakpoint
CREATE INDEX "cases_by_organization" ON "cases" USING btree ("organization_uuid","case_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_organization_status" ON "cases" USING btree ("organization_uuid","status","case_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_status" ON "cases" USING btree ("status","case_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_severity" ON "cases" USING btree ("severity","case_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_verdict" ON "cases" USING btree ("verdict","case_uuid");--> statement-breakpoint
CREATE INDEX "cases_by_assignee" ON "cases" USING btree ("assignee","case_uuid");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "organizations_code_key" ON "organizations" USING btree (lower("organization_code"));--> statement-breakpoint
CREATE INDEX "playbook_alert_types_by_playbook" ON "playbook_alert_types" USING btree ("playbook_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "providers_name_key" ON "providers" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "providers_segment_key" ON "providers" USING btree ("segment");