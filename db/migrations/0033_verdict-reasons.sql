ALTER TABLE "investigations" ADD COLUMN "reasons" jsonb;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "reasons" jsonb;
