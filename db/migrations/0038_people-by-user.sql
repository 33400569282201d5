-- A rename of a user keeps cases, timeline, tasks and files. The name stays for keys of services and for rows without a user.
ALTER TABLE "cases" ADD COLUMN "assignee_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "case_timeline" ADD COLUMN "by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "case_tasks" ADD COLUMN "created_by_uuid" uuid, ADD COLUMN "done_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "case_attachments" ADD COLUMN "added_by_uuid" uuid;
--> statement-breakpoint
ALTER TABLE "notification_rules" ADD COLUMN "assignee_uuid" uuid;
--> statement-breakpoint
-- A name that several users had, such as a deactivated one and their successor, stays a name.
CREATE TEMPORARY TABLE "known_people" ON COMMIT DROP AS
  SELECT "users"."name", "users"."user_uuid", "organizations"."organization_uuid" FROM "users", "organizations"
  WHERE EXISTS (
    SELECT FROM "memberships" WHERE "memberships"."user_uuid" = "users"."user_uuid"
      AND ("memberships"."organization_uuid" IS NULL OR "memberships"."organization_uuid" = "organizations"."organization_uuid"))
    AND NOT EXISTS (SELECT FROM "users" AS "others" WHERE "others"."name" = "users"."name" AND "others"."user_uuid" <> "users"."user_uuid")
    AND NOT EXISTS (SELECT FROM "api_keys" WHERE "api_keys"."owner_uuid" IS NULL AND "api_keys"."name" = "users"."name");
--> statement-breakpoint
UPDATE "cases" SET "assignee_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "cases"."organization_uuid" AND "known_people"."name" = "assignee";
--> statement-breakpoint
UPDATE "case_timeline" SET "by_uuid" = "user_uuid" FROM "known_people", "cases"
  WHERE "cases"."case_uuid" = "case_timeline"."case_uuid" AND "known_people"."organization_uuid" = "cases"."organization_uuid"
    AND "known_people"."name" = "by";
--> statement-breakpoint
UPDATE "case_tasks" SET "created_by_uuid" = "user_uuid" FROM "known_people", "cases"
  WHERE "cases"."case_uuid" = "case_tasks"."case_uuid" AND "known_people"."organization_uuid" = "cases"."organization_uuid"
    AND "known_people"."name" = "created_by";
--> statement-breakpoint
UPDATE "case_tasks" SET "done_by_uuid" = "user_uuid" FROM "known_people", "cases"
  WHERE "cases"."case_uuid" = "case_tasks"."case_uuid" AND "known_people"."organization_uuid" = "cases"."organization_uuid"
    AND "known_people"."name" = "done_by";
--> statement-breakpoint
UPDATE "case_attachments" SET "added_by_uuid" = "user_uuid" FROM "known_people", "cases"
  WHERE "cases"."case_uuid" = "case_attachments"."case_uuid" AND "known_people"."organization_uuid" = "cases"."organization_uuid"
    AND "known_people"."name" = "added_by";
--> statement-breakpoint
UPDATE "notification_rules" SET "assignee_uuid" = "user_uuid" FROM "known_people"
  WHERE "known_people"."organization_uuid" = "notification_rules"."organization_uuid" AND "known_people"."name" = "assignee";
--> statement-breakpoint
DROP TABLE "known_people";
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_assignee_uuid_users_user_uuid_fk" FOREIGN KEY ("assignee_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "case_timeline" ADD CONSTRAINT "case_timeline_by_uuid_users_user_uuid_fk" FOREIGN KEY ("by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "case_tasks" ADD CONSTRAINT "case_tasks_created_by_uuid_users_user_uuid_fk" FOREIGN KEY ("created_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "case_tasks" ADD CONSTRAINT "case_tasks_done_by_uuid_users_user_uuid_fk" FOREIGN KEY ("done_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "case_attachments" ADD CONSTRAINT "case_attachments_added_by_uuid_users_user_uuid_fk" FOREIGN KEY ("added_by_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_assignee_uuid_users_user_uuid_fk" FOREIGN KEY ("assignee_uuid") REFERENCES "public"."users"("user_uuid") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "cases_by_assigned_user" ON "cases" USING btree ("assignee_uuid","case_uuid") WHERE assignee_uuid is not null;
