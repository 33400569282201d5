ALTER TABLE "connections" ALTER COLUMN "needs_second_person" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "connections" ALTER COLUMN "needs_second_person" DROP NOT NULL;--> statement-breakpoint
-- Earlier versions stored false where nobody chose. Only an audited change to false is a choice.
UPDATE "connections" SET "needs_second_person" = NULL WHERE NOT "needs_second_person" AND NOT EXISTS (
  SELECT FROM "audit_log" WHERE "action" = 'connection.update' AND "target" = "connections"."connection_uuid"::text
    AND "details" -> 'new' ->> 'needsSecondPerson' = 'false'
);--> statement-breakpoint
UPDATE "credential_links" SET "new_connection" = jsonb_set("new_connection", '{needsSecondPerson}', 'null')
WHERE "new_connection" ->> 'needsSecondPerson' = 'false';
