ALTER TABLE "chat_identities" DROP CONSTRAINT "chat_identities_key";--> statement-breakpoint
ALTER TABLE "chat_identities" ADD COLUMN "app_id" text;--> statement-breakpoint
ALTER TABLE "chat_identities" ADD COLUMN "workspace_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_identities" ADD COLUMN "chat_user_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_identities" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chat_identities" ADD CONSTRAINT "chat_identities_key" UNIQUE("kind","workspace","app_id","chat_user_id");