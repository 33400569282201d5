-- Foreign keys where the check costs little. The other columns say in db/schema why they have none.
-- A step of a missing agent, connection or alert, a waiter of a missing alert and a type of a missing playbook have no effect.
DELETE FROM "agent_steps" WHERE NOT EXISTS (SELECT FROM "remote_agents" WHERE "remote_agents"."agent_uuid" = "agent_steps"."agent_uuid")
  OR NOT EXISTS (SELECT FROM "connections" WHERE "connections"."connection_uuid" = "agent_steps"."connection_uuid")
  OR ("alert_uuid" IS NOT NULL AND NOT EXISTS (SELECT FROM "alerts" WHERE "alerts"."alert_uuid" = "agent_steps"."alert_uuid"));
--> statement-breakpoint
DELETE FROM "connection_waiters" WHERE "alert_uuid" IS NOT NULL AND NOT EXISTS (SELECT FROM "alerts" WHERE "alerts"."alert_uuid" = "connection_waiters"."alert_uuid");
--> statement-breakpoint
DELETE FROM "playbook_alert_types" WHERE NOT EXISTS (SELECT FROM "playbooks" WHERE "playbooks"."playbook_uuid" = "playbook_alert_types"."playbook_uuid");
--> statement-breakpoint
CREATE INDEX "case_alerts_by_home_case" ON "case_alerts" USING btree ("home_case_uuid") WHERE home_case_uuid is not null;
--> statement-breakpoint
CREATE INDEX "proposals_by_undo" ON "proposals" USING btree ("undo_of") WHERE undo_of is not null;
--> statement-breakpoint
ALTER TABLE "agent_steps" ADD CONSTRAINT "agent_steps_agent_uuid_remote_agents_agent_uuid_fk" FOREIGN KEY ("agent_uuid") REFERENCES "public"."remote_agents"("agent_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "agent_steps" ADD CONSTRAINT "agent_steps_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "agent_steps" ADD CONSTRAINT "agent_steps_alert_uuid_alerts_alert_uuid_fk" FOREIGN KEY ("alert_uuid") REFERENCES "public"."alerts"("alert_uuid") ON DELETE cascade ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "connection_waiters" ADD CONSTRAINT "connection_waiters_alert_uuid_alerts_alert_uuid_fk" FOREIGN KEY ("alert_uuid") REFERENCES "public"."alerts"("alert_uuid") ON DELETE cascade ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_merged_into_cases_case_uuid_fk" FOREIGN KEY ("merged_into") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "case_alerts" ADD CONSTRAINT "case_alerts_home_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("home_case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "playbook_alert_types" ADD CONSTRAINT "playbook_alert_types_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "playbook_alert_types" ADD CONSTRAINT "playbook_alert_types_playbook_uuid_playbooks_playbook_uuid_fk" FOREIGN KEY ("playbook_uuid") REFERENCES "public"."playbooks"("playbook_uuid") ON DELETE cascade ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_alert_uuid_alerts_alert_uuid_fk" FOREIGN KEY ("alert_uuid") REFERENCES "public"."alerts"("alert_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_undo_of_proposals_proposal_uuid_fk" FOREIGN KEY ("undo_of") REFERENCES "public"."proposals"("proposal_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "skill_runs" ADD CONSTRAINT "skill_runs_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
-- A row of an earlier version with a missing parent keeps its constraint unvalidated; new rows are checked all the same.
DO $$
DECLARE
  "unvalidated" record;
BEGIN
  FOR "unvalidated" IN
    SELECT "conrelid"::regclass AS "table", "conname" FROM "pg_constraint"
    WHERE "contype" = 'f' AND NOT "convalidated" AND "connamespace" = 'public'::regnamespace
  LOOP
    BEGIN
      EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', "unvalidated"."table", "unvalidated"."conname");
    EXCEPTION WHEN foreign_key_violation THEN
      RAISE WARNING '% of % is not valid for all rows.', "unvalidated"."conname", "unvalidated"."table";
    END;
  END LOOP;
END $$;
