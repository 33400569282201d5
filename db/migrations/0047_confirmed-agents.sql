ALTER TABLE "rule_changes" DROP CONSTRAINT "rule_changes_change_known";--> statement-breakpoint
ALTER TABLE "remote_agents" ADD COLUMN "enrolled_by" uuid;--> statement-breakpoint
ALTER TABLE "remote_agents" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "rule_changes" ADD CONSTRAINT "rule_changes_change_known" CHECK ("change" in ('resume-writes', 'raise-limit', 'unprotect-asset', 'drop-second-person', 'release-action', 'confirm-agent'));