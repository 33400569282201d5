ALTER TABLE "alert_entities" DROP CONSTRAINT "alert_entities_role_known";--> statement-breakpoint
-- NOT VALID: every stored role is still known, so large tables are not read again under a lock.
ALTER TABLE "alert_entities" ADD CONSTRAINT "alert_entities_role_known" CHECK ("role" in ('source', 'destination', 'victim', 'sender', 'recipient', 'actor', 'reporter')) NOT VALID;
