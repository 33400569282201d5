ALTER TABLE "users" ADD COLUMN "code_guesses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "code_guesses_since" timestamp with time zone;