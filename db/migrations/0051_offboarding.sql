CREATE TABLE "provider_tokens" (
	"user_uuid" uuid PRIMARY KEY NOT NULL,
	"token" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"is_uncertain" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "remote_agents" ADD COLUMN "holder_uuid" uuid;--> statement-breakpoint
ALTER TABLE "credential_links" ADD COLUMN "holder_uuid" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "holder_uuid" uuid;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "holder_uuid" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "access_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "provider_tokens" ADD CONSTRAINT "provider_tokens_user_uuid_users_user_uuid_fk" FOREIGN KEY ("user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_tokens_by_due" ON "provider_tokens" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "remote_agents" ADD CONSTRAINT "remote_agents_holder_uuid_users_user_uuid_fk" FOREIGN KEY ("holder_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credential_links" ADD CONSTRAINT "credential_links_holder_uuid_users_user_uuid_fk" FOREIGN KEY ("holder_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_holder_uuid_users_user_uuid_fk" FOREIGN KEY ("holder_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_holder_uuid_users_user_uuid_fk" FOREIGN KEY ("holder_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "remote_agents_by_holder" ON "remote_agents" USING btree ("holder_uuid") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "credential_links_by_holder" ON "credential_links" USING btree ("holder_uuid") WHERE used_at is null and revoked_at is null;--> statement-breakpoint
CREATE INDEX "api_keys_by_holder" ON "api_keys" USING btree ("holder_uuid") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "invitations_by_holder" ON "invitations" USING btree ("holder_uuid") WHERE ended_at is null;--> statement-breakpoint
UPDATE api_keys SET holder_uuid = users.user_uuid FROM users WHERE owner_uuid IS NULL AND person_uuid = users.user_uuid;--> statement-breakpoint
UPDATE api_keys SET holder_uuid = users.user_uuid FROM audit_log LEFT JOIN api_keys AS creator ON creator.key_uuid = principal_uuid
  JOIN users ON users.user_uuid = coalesce(creator.owner_uuid, creator.holder_uuid, principal_uuid)
  WHERE api_keys.owner_uuid IS NULL AND api_keys.holder_uuid IS NULL AND api_keys.revoked_at IS NULL
    AND target = api_keys.key_uuid::text AND action = 'api-key.create' AND action <> 'alert.create';--> statement-breakpoint
UPDATE remote_agents SET holder_uuid = users.user_uuid FROM users LEFT JOIN api_keys ON users.user_uuid IN (owner_uuid, api_keys.holder_uuid)
  WHERE enrolled_by IN (users.user_uuid, key_uuid);--> statement-breakpoint
UPDATE remote_agents SET holder_uuid = users.user_uuid FROM audit_log LEFT JOIN api_keys AS creator ON creator.key_uuid = principal_uuid
  JOIN users ON users.user_uuid = coalesce(creator.owner_uuid, creator.holder_uuid, principal_uuid)
  WHERE remote_agents.holder_uuid IS NULL AND remote_agents.revoked_at IS NULL
    AND target = agent_uuid::text AND action = 'remote-agent.create' AND action <> 'alert.create';--> statement-breakpoint
UPDATE invitations SET holder_uuid = invited_by_uuid WHERE ended_at IS NULL;--> statement-breakpoint
UPDATE invitations SET holder_uuid = creator.holder_uuid FROM audit_log JOIN api_keys AS creator ON creator.key_uuid = principal_uuid
  WHERE invitations.holder_uuid IS NULL AND ended_at IS NULL
    AND target = invitation_uuid::text AND action = 'invitation.create' AND action <> 'alert.create';--> statement-breakpoint
UPDATE credential_links SET holder_uuid = created_by_uuid WHERE used_at IS NULL AND revoked_at IS NULL;--> statement-breakpoint
UPDATE credential_links SET holder_uuid = creator.holder_uuid FROM audit_log JOIN api_keys AS creator ON creator.key_uuid = principal_uuid
  WHERE credential_links.holder_uuid IS NULL AND used_at IS NULL AND credential_links.revoked_at IS NULL
    AND details->>'link_id' = link_uuid::text AND target IN (link_uuid::text, connection_uuid::text)
    AND action = 'credential-link.create' AND action <> 'alert.create';--> statement-breakpoint
UPDATE users SET access_until = now() + interval '24 hours' WHERE issuer IS NOT NULL AND deactivated_at IS NULL;
