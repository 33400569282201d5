CREATE TABLE "organization_knowledge" (
	"knowledge_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"note" text NOT NULL,
	"is_rejected" boolean DEFAULT false NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "retries_before_run" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "throttled_in_a_row" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "follow_ups" ADD COLUMN "waits_for" jsonb;--> statement-breakpoint
ALTER TABLE "organization_knowledge" ADD CONSTRAINT "organization_knowledge_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "organization_knowledge_key" ON "organization_knowledge" USING btree ("organization_uuid","kind","value");