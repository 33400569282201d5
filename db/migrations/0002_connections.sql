CREATE TABLE "agent_steps" (
	"step_uuid" uuid PRIMARY KEY NOT NULL,
	"agent_uuid" uuid NOT NULL,
	"connection_uuid" uuid NOT NULL,
	"activity_key" text NOT NULL,
	"task_token" text NOT NULL,
	"request" jsonb NOT NULL,
	"activity_name" text NOT NULL,
	"skill_id" text NOT NULL,
	"alert_uuid" uuid,
	"claimed_at" timestamp(3) with time zone,
	"seen_at" timestamp(3) with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connection_refusals" (
	"connection_uuid" uuid NOT NULL,
	"skill_id" text NOT NULL,
	"reason" text NOT NULL,
	"resolution" text,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "connection_refusals_connection_uuid_skill_id_pk" PRIMARY KEY("connection_uuid","skill_id")
);
--> statement-breakpoint
CREATE TABLE "connection_secrets" (
	"connection_uuid" uuid NOT NULL,
	"field" text NOT NULL,
	"master_key_id" text NOT NULL,
	"wrapped_key" text NOT NULL,
	"ciphertext" text NOT NULL,
	CONSTRAINT "connection_secrets_connection_uuid_field_pk" PRIMARY KEY("connection_uuid","field")
);
--> statement-breakpoint
CREATE TABLE "connection_waiters" (
	"connection_uuid" uuid NOT NULL,
	"workflow_id" text NOT NULL,
	"alert_uuid" uuid,
	"skill_id" text NOT NULL,
	"generation" integer NOT NULL,
	"reason" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "connection_waiters_connection_uuid_workflow_id_pk" PRIMARY KEY("connection_uuid","workflow_id")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"connection_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"connector" text NOT NULL,
	"instance_name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"settings" jsonb NOT NULL,
	"plain_credentials" jsonb NOT NULL,
	"remote_agent_uuid" uuid,
	"is_default" boolean DEFAULT false NOT NULL,
	"needs_second_person" boolean DEFAULT false NOT NULL,
	"feeds_intake" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'untested' NOT NULL,
	"state_reason" text,
	"state_since" timestamp with time zone NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"blocked_until" timestamp(3) with time zone,
	"block_reason" text,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"secrets_set_at" timestamp with time zone NOT NULL,
	"tested_at" timestamp with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"modified_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "key_uuids" (
	"digest" text PRIMARY KEY NOT NULL,
	"key_uuid" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_agents" (
	"agent_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"version" text,
	"last_seen_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "skill_results" (
	"result_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"connection_uuid" uuid NOT NULL,
	"connector" text NOT NULL,
	"skill_id" text NOT NULL,
	"operation_key" text,
	"alert_uuid" uuid,
	"run_uuid" uuid,
	"status" text NOT NULL,
	"input" jsonb NOT NULL,
	"output" jsonb,
	"request_digest" text NOT NULL,
	"reply_digest" text,
	"error" jsonb,
	"attempts" integer DEFAULT 1 NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"duration_ms" integer
);
--> statement-breakpoint
CREATE TABLE "skill_runs" (
	"run_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"connection_uuid" uuid NOT NULL,
	"connector" text NOT NULL,
	"verb" text NOT NULL,
	"skill_id" text NOT NULL,
	"input" jsonb NOT NULL,
	"asked_by" text NOT NULL,
	"asked_by_uuid" uuid NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	"decided_by" text,
	"result_uuid" uuid,
	"error" jsonb,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "source_items" (
	"connection_uuid" uuid NOT NULL,
	"source_id" text NOT NULL,
	"revision" text NOT NULL,
	"alert_uuid" uuid NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "source_items_connection_uuid_source_id_pk" PRIMARY KEY("connection_uuid","source_id")
);
--> statement-breakpoint
CREATE TABLE "source_watermarks" (
	"connection_uuid" uuid PRIMARY KEY NOT NULL,
	"read_until" timestamp with time zone NOT NULL,
	"last_read_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "stream_events" (
	"connection_uuid" uuid NOT NULL,
	"event_key" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"event" jsonb NOT NULL,
	CONSTRAINT "stream_events_connection_uuid_event_key_pk" PRIMARY KEY("connection_uuid","event_key")
);
--> statement-breakpoint
ALTER TABLE "connection_refusals" ADD CONSTRAINT "connection_refusals_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_secrets" ADD CONSTRAINT "connection_secrets_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_waiters" ADD CONSTRAINT "connection_waiters_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_remote_agent_uuid_remote_agents_agent_uuid_fk" FOREIGN KEY ("remote_agent_uuid") REFERENCES "public"."remote_agents"("agent_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_agents" ADD CONSTRAINT "remote_agents_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_items" ADD CONSTRAINT "source_items_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_watermarks" ADD CONSTRAINT "source_watermarks_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_events" ADD CONSTRAINT "stream_events_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_steps_activity_key" ON "agent_steps" USING btree ("activity_key");--> statement-breakpoint
CREATE INDEX "agent_steps_by_agent" ON "agent_steps" USING btree ("agent_uuid","step_uuid");--> statement-breakpoint
CREATE INDEX "agent_steps_by_alert" ON "agent_steps" USING btree ("alert_uuid");--> statement-breakpoint
CREATE INDEX "connection_secrets_by_key" ON "connection_secrets" USING btree ("master_key_id");--> statement-breakpoint
CREATE INDEX "connection_waiters_by_alert" ON "connection_waiters" USING btree ("alert_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_instance_name_key" ON "connections" USING btree ("organization_uuid","instance_name");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_default_key" ON "connections" USING btree ("organization_uuid","connector") WHERE is_default;--> statement-breakpoint
CREATE INDEX "connections_by_organization" ON "connections" USING btree ("organization_uuid","connection_uuid");--> statement-breakpoint
CREATE INDEX "connections_by_agent" ON "connections" USING btree ("remote_agent_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "remote_agents_token_key" ON "remote_agents" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "remote_agents_name_key" ON "remote_agents" USING btree ("organization_uuid","name");--> statement-breakpoint
CREATE UNIQUE INDEX "skill_results_operation_key" ON "skill_results" USING btree ("operation_key");--> statement-breakpoint
CREATE INDEX "skill_results_by_alert" ON "skill_results" USING btree ("alert_uuid","result_uuid");--> statement-breakpoint
CREATE INDEX "skill_results_by_run" ON "skill_results" USING btree ("run_uuid");--> statement-breakpoint
CREATE INDEX "skill_results_by_connection" ON "skill_results" USING btree ("connection_uuid","result_uuid");--> statement-breakpoint
CREATE INDEX "skill_runs_by_connection" ON "skill_runs" USING btree ("connection_uuid","run_uuid");--> statement-breakpoint
CREATE INDEX "skill_runs_unended" ON "skill_runs" USING btree ("asked_at") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "stream_events_by_time" ON "stream_events" USING btree ("connection_uuid","at");