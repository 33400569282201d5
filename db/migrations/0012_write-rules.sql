ALTER TABLE "skill_results" ADD COLUMN "sent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "skill_runs" ADD COLUMN "assets" jsonb;