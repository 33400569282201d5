ALTER TABLE "rule_changes" DROP CONSTRAINT "rule_changes_change_known";--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "vouches" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "vouched_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "rule_changes" ADD CONSTRAINT "rule_changes_change_known" CHECK ("change" in ('resume-writes', 'raise-limit', 'unprotect-asset', 'drop-second-person', 'release-action'));