ALTER TABLE "playbooks" ADD COLUMN "shared_for" text;--> statement-breakpoint
ALTER TABLE "playbooks" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "playbooks_by_creation" ON "playbooks" USING btree ("organization_uuid","created_at");--> statement-breakpoint
ALTER TABLE "playbooks" ADD CONSTRAINT "playbooks_shared" UNIQUE("organization_uuid","shared_for");