-- The commands of services/proposals and services/skill-runs write these events. See 0023 and 0028 for the triggers.
DROP TRIGGER proposal_made ON "proposals";
--> statement-breakpoint
DROP TRIGGER proposal_waiting ON "proposals";
--> statement-breakpoint
DROP TRIGGER proposal_decided ON "proposals";
--> statement-breakpoint
DROP TRIGGER action_failed ON "proposals";
--> statement-breakpoint
DROP TRIGGER run_requested ON "skill_runs";
--> statement-breakpoint
DROP TRIGGER run_waiting ON "skill_runs";
--> statement-breakpoint
DROP TRIGGER run_decided ON "skill_runs";
--> statement-breakpoint
DROP FUNCTION notify_of_proposal();
--> statement-breakpoint
DROP FUNCTION notify_of_run();
