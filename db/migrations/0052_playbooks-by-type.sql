ALTER TABLE "playbook_alert_types" ADD COLUMN "investigator_uuid" uuid;--> statement-breakpoint
ALTER TABLE "playbooks" ADD COLUMN "plan_of" uuid;--> statement-breakpoint
ALTER TABLE "playbook_alert_types" ADD CONSTRAINT "playbook_alert_types_investigator_uuid_playbooks_playbook_uuid_fk" FOREIGN KEY ("investigator_uuid") REFERENCES "public"."playbooks"("playbook_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playbooks" ADD CONSTRAINT "playbooks_plan_of_playbooks_playbook_uuid_fk" FOREIGN KEY ("plan_of") REFERENCES "public"."playbooks"("playbook_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "playbook_alert_types_by_investigator" ON "playbook_alert_types" USING btree ("investigator_uuid");--> statement-breakpoint
CREATE INDEX "playbooks_by_plan" ON "playbooks" USING btree ("plan_of");--> statement-breakpoint
-- The types of generated playbooks get a playbook of their own, which uses the plan of the playbook that they shared. Its id is in the order of time.
WITH "types" AS (
  SELECT "types"."organization_uuid", "types"."alert_type_key", "types"."alert_type", "playbook_uuid", "severity", encode(set_bit(set_bit(overlay(
    uuid_send(gen_random_uuid()) placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
  ), 52, 1), 53, 1), 'hex')::uuid AS "investigator_uuid"
  FROM "playbook_alert_types" AS "types" JOIN "playbooks" USING ("playbook_uuid")
  WHERE "types"."organization_uuid" IS NOT NULL AND "shared_for" IS NOT NULL
), "named" AS (
  INSERT INTO "playbooks" ("playbook_uuid", "organization_uuid", "name", "origin", "workflow_type", "severity", "plan_of", "created_at", "modified_at")
  SELECT "investigator_uuid", "organization_uuid", coalesce(nullif(trim(regexp_replace(regexp_replace("alert_type",
    '[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'), '[[:space:][:cntrl:]\u2028\u2029]+', ' ', 'g')), ''),
    'Alert type without a visible name'), 'generated', 'generated', "severity", "playbook_uuid", now(), now()
  FROM "types"
)
UPDATE "playbook_alert_types" AS "changed" SET "investigator_uuid" = "types"."investigator_uuid"
FROM "types" WHERE "changed"."organization_uuid" = "types"."organization_uuid" AND "changed"."alert_type_key" = "types"."alert_type_key";--> statement-breakpoint
UPDATE "playbook_alert_types" SET "investigator_uuid" = "playbook_uuid" WHERE "organization_uuid" IS NOT NULL AND "investigator_uuid" IS NULL;
