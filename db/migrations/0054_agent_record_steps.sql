ALTER TABLE "agent_steps" ADD COLUMN "wanted_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "agent_steps" ADD COLUMN "answer" jsonb;