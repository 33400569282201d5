CREATE TABLE "claim_mappings" (
	"mapping_uuid" uuid PRIMARY KEY NOT NULL,
	"claim" text NOT NULL,
	"value" text NOT NULL,
	"role" text NOT NULL,
	"organization_uuid" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "claim_mappings_key" UNIQUE NULLS NOT DISTINCT("claim","value","organization_uuid")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"invitation_uuid" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"organization_uuid" uuid,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"user_uuid" uuid
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"membership_uuid" uuid PRIMARY KEY NOT NULL,
	"user_uuid" uuid NOT NULL,
	"organization_uuid" uuid,
	"role" text NOT NULL,
	"from_claims" boolean NOT NULL,
	CONSTRAINT "memberships_key" UNIQUE NULLS NOT DISTINCT("user_uuid","organization_uuid")
);
--> statement-breakpoint
CREATE TABLE "provider_sign_ins" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"return_to" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_sessions" (
	"session_uuid" uuid PRIMARY KEY NOT NULL,
	"user_uuid" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"membership_uuid" uuid,
	"client" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"user_uuid" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"password_hash" text,
	"issuer" text,
	"subject" text,
	"totp" jsonb,
	"totp_pending" jsonb,
	"totp_step" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone,
	"deactivated_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "case_visits" DROP CONSTRAINT "case_visits_key_uuid_api_keys_key_uuid_fk";
--> statement-breakpoint
ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_key_uuid_api_keys_key_uuid_fk";
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "owner_uuid" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "service" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "person_uuid" uuid;--> statement-breakpoint
ALTER TABLE "claim_mappings" ADD CONSTRAINT "claim_mappings_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_membership_uuid_memberships_membership_uuid_fk" FOREIGN KEY ("membership_uuid") REFERENCES "public"."memberships"("membership_uuid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token_key" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitations_by_organization" ON "invitations" USING btree ("organization_uuid");--> statement-breakpoint
CREATE INDEX "memberships_by_organization" ON "memberships" USING btree ("organization_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "user_sessions_token_key" ON "user_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "user_sessions_by_user" ON "user_sessions" USING btree ("user_uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email")) WHERE issuer is null and deactivated_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_name_key" ON "users" USING btree (lower("name")) WHERE deactivated_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_subject_key" ON "users" USING btree ("issuer","subject");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_owner_uuid_users_user_uuid_fk" FOREIGN KEY ("owner_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_by_owner" ON "api_keys" USING btree ("owner_uuid") WHERE owner_uuid is not null;--> statement-breakpoint
-- Keys with the same name get a number, before the index makes names unique.
DO $$
BEGIN
	LOOP
		UPDATE "api_keys" SET "name" = "name" || ' (' || "place" || ')'
		FROM (
			SELECT "key_uuid", row_number() OVER (PARTITION BY "organization_uuid", lower("name") ORDER BY "key_uuid") AS "place"
			FROM "api_keys" WHERE "revoked_at" IS NULL
		) AS "numbered"
		WHERE "numbered"."key_uuid" = "api_keys"."key_uuid" AND "place" > 1;
		EXIT WHEN NOT FOUND;
	END LOOP;
END $$;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_name_key" ON "api_keys" USING btree (coalesce("organization_uuid", '00000000-0000-0000-0000-000000000000'),lower("name")) WHERE revoked_at is null;--> statement-breakpoint
-- A key that another key created counts as the person of that key. The audit log has the creators.
WITH RECURSIVE "created" ("key_uuid", "creator") AS (
	SELECT "target", "principal_uuid" FROM "audit_log" WHERE "action" = 'api-key.create' AND "principal_uuid" IS NOT NULL
), "ancestors" ("key_uuid", "ancestor", "distance") AS (
	SELECT "key_uuid", "key_uuid", 0 FROM "api_keys"
	UNION ALL
	SELECT "ancestors"."key_uuid", "creator", "distance" + 1
	FROM "ancestors" JOIN "created" ON "created"."key_uuid" = "ancestor"::text WHERE "distance" < 1000
)
UPDATE "api_keys" SET "person_uuid" = "ancestor"
FROM (SELECT DISTINCT ON ("key_uuid") "key_uuid", "ancestor" FROM "ancestors" ORDER BY "key_uuid", "distance" DESC) AS "first"
WHERE "first"."key_uuid" = "api_keys"."key_uuid" AND "ancestor" <> "api_keys"."key_uuid";
