ALTER TABLE "alert_entities" ADD COLUMN "role" text;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "playbook_reason" text;--> statement-breakpoint
ALTER TABLE "playbooks" ADD COLUMN "categories" text[] DEFAULT '{}' NOT NULL;