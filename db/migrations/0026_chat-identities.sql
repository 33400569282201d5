CREATE TABLE "chat_identities" (
	"identity_uuid" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"workspace" text NOT NULL,
	"chat_user_id" text NOT NULL,
	"user_uuid" uuid NOT NULL,
	"linked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "chat_identities_key" UNIQUE("kind","workspace","chat_user_id")
);
--> statement-breakpoint
CREATE TABLE "chat_link_codes" (
	"user_uuid" uuid PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "chat_link_codes_key" UNIQUE("code_hash")
);
--> statement-breakpoint
ALTER TABLE "chat_identities" ADD CONSTRAINT "chat_identities_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_link_codes" ADD CONSTRAINT "chat_link_codes_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;