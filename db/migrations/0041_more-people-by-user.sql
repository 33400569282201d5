-- As in 0038, for the other people whom the API shows. Audit log and notification events keep the name of their time.
ALTER TABLE "legal_holds" ADD COLUMN "placed_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "credential_links" ADD COLUMN "created_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "task_templates" ADD COLUMN "changed_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "protected_assets" ADD COLUMN "created_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "organization_knowledge" ADD COLUMN "created_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "response_rules" ADD COLUMN "stopped_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "playbook_plans" ADD COLUMN "author_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "invited_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "proposal_decisions" ADD COLUMN "by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "requested_by_user_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "skill_runs" ADD COLUMN "asked_by_user_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "rule_changes" ADD COLUMN "asked_by_user_uuid" uuid;
--> statement-breakpoint
CREATE TEMPORARY TABLE "known_people" ON COMMIT DROP AS
  SELECT "users"."name", "users"."user_uuid", "organizations"."organization_uuid" FROM "users", "organizations"
  WHERE EXISTS (
    SELECT FROM "memberships" WHERE "memberships"."user_uuid" = "users"."user_uuid"
      AND ("memberships"."organization_uuid" IS NULL OR "memberships"."organization_uuid" = "organizations"."organization_uuid"))
    AND NOT EXISTS (SELECT FROM "users" AS "others" WHERE "others"."name" = "users"."name" AND "others"."user_uuid" <> "users"."user_uuid")
    AND NOT EXISTS (SELECT FROM "api_keys" WHERE "api_keys"."owner_uuid" IS NULL AND "api_keys"."name" = "users"."name");
--> statement-breakpoint
UPDATE "legal_holds" SET "placed_by_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "legal_holds"."organization_uuid" AND "known_people"."name" = "placed_by";
--> statement-breakpoint
UPDATE "credential_links" SET "created_by_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "credential_links"."organization_uuid" AND "known_people"."name" = "created_by";
--> statement-breakpoint
UPDATE "task_templates" SET "changed_by_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "task_templates"."organization_uuid" AND "known_people"."name" = "changed_by";
--> statement-breakpoint
UPDATE "protected_assets" SET "created_by_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "protected_assets"."organization_uuid" AND "known_people"."name" = "created_by";
--> statement-breakpoint
UPDATE "organization_knowledge" SET "created_by_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "organization_knowledge"."organization_uuid" AND "known_people"."name" = "created_by";
--> statement-breakpoint
UPDATE "response_rules" SET "stopped_by_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "response_rules"."organization_uuid" AND "known_people"."name" = "stopped_by";
--> statement-breakpoint
UPDATE "playbook_plans" SET "author_uuid" = "user_uuid" FROM "known_people", "playbooks"
  WHERE "playbooks"."playbook_uuid" = "playbook_plans"."playbook_uuid" AND "known_people"."organization_uuid" = "playbooks"."organization_uuid"
    AND "known_people"."name" = "author";
--> statement-breakpoint
UPDATE "invitations" SET "invited_by_uuid" = "known_people"."user_uuid" FROM "known_people"
  WHERE ("invitations"."organization_uuid" IS NULL OR "known_people"."organization_uuid" = "invitations"."organization_uuid")
    AND "known_people"."name" = "invited_by";
--> statement-breakpoint
DROP TABLE "known_people";
--> statement-breakpoint
-- These rows have the user or the key. An erased name differs from the user's and stays erased.
UPDATE "proposal_decisions" SET "by_uuid" = "user_uuid" FROM "users"
  WHERE "users"."name" = "by" AND "user_uuid" = coalesce((SELECT "owner_uuid" FROM "api_keys" WHERE "key_uuid" = "principal_uuid"), "principal_uuid");
--> statement-breakpoint
UPDATE "proposals" SET "requested_by_user_uuid" = "user_uuid" FROM "users"
  WHERE "users"."name" = "requested_by"
    AND "user_uuid" = coalesce((SELECT "owner_uuid" FROM "api_keys" WHERE "key_uuid" = "requested_by_uuid"), "requested_by_uuid");
--> statement-breakpoint
UPDATE "skill_runs" SET "asked_by_user_uuid" = "user_uuid" FROM "users"
  WHERE "users"."name" = "asked_by" AND "user_uuid" = coalesce((SELECT "owner_uuid" FROM "api_keys" WHERE "key_uuid" = "asked_by_uuid"), "asked_by_uuid");
--> statement-breakpoint
UPDATE "rule_changes" SET "asked_by_user_uuid" = "user_uuid" FROM "users"
  WHERE "users"."name" = "asked_by" AND "user_uuid" = coalesce((SELECT "owner_uuid" FROM "api_keys" WHERE "key_uuid" = "asked_by_uuid"), "asked_by_uuid");
--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_placed_by_uuid_users_user_uuid_fk" FOREIGN KEY ("placed_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "credential_links" ADD CONSTRAINT "credential_links_created_by_uuid_users_user_uuid_fk" FOREIGN KEY ("created_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "task_templates" ADD CONSTRAINT "task_templates_changed_by_uuid_users_user_uuid_fk" FOREIGN KEY ("changed_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "protected_assets" ADD CONSTRAINT "protected_assets_created_by_uuid_users_user_uuid_fk" FOREIGN KEY ("created_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "organization_knowledge" ADD CONSTRAINT "organization_knowledge_created_by_uuid_users_user_uuid_fk" FOREIGN KEY ("created_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "response_rules" ADD CONSTRAINT "response_rules_stopped_by_uuid_users_user_uuid_fk" FOREIGN KEY ("stopped_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "playbook_plans" ADD CONSTRAINT "playbook_plans_author_uuid_users_user_uuid_fk" FOREIGN KEY ("author_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_uuid_users_user_uuid_fk" FOREIGN KEY ("invited_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "proposal_decisions" ADD CONSTRAINT "proposal_decisions_by_uuid_users_user_uuid_fk" FOREIGN KEY ("by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_requested_by_user_uuid_users_user_uuid_fk" FOREIGN KEY ("requested_by_user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "skill_runs" ADD CONSTRAINT "skill_runs_asked_by_user_uuid_users_user_uuid_fk" FOREIGN KEY ("asked_by_user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rule_changes" ADD CONSTRAINT "rule_changes_asked_by_user_uuid_users_user_uuid_fk" FOREIGN KEY ("asked_by_user_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE set null ON UPDATE no action;
