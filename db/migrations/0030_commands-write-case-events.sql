-- The commands of services/ write the events and the clocks of cases.
DROP TRIGGER "case_opened" ON "cases";--> statement-breakpoint
DROP TRIGGER "case_verdict_changed" ON "cases";--> statement-breakpoint
DROP TRIGGER "case_assigned" ON "cases";--> statement-breakpoint
DROP TRIGGER "case_commented" ON "case_timeline";--> statement-breakpoint
DROP TRIGGER "alert_failed" ON "alerts";--> statement-breakpoint
DROP TRIGGER "clocks_started" ON "cases";--> statement-breakpoint
DROP TRIGGER "clocks_changed" ON "cases";--> statement-breakpoint
DROP TRIGGER "case_acknowledged" ON "case_timeline";--> statement-breakpoint
DROP TRIGGER "sla_due_soon" ON "case_clocks";--> statement-breakpoint
DROP TRIGGER "sla_breached" ON "case_clocks";--> statement-breakpoint
DROP FUNCTION notify_of_case();--> statement-breakpoint
DROP FUNCTION notify_of_comment();--> statement-breakpoint
DROP FUNCTION notify_of_alert();--> statement-breakpoint
DROP FUNCTION start_clocks();--> statement-breakpoint
DROP FUNCTION follow_case();--> statement-breakpoint
DROP FUNCTION acknowledge_case();--> statement-breakpoint
DROP FUNCTION notify_of_clock();--> statement-breakpoint
DROP FUNCTION stop_clocks(uuid, text[], timestamptz);--> statement-breakpoint
DROP FUNCTION has_sla(uuid);
