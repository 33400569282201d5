-- Commands write these events: services/connections and services/agents.
DROP TRIGGER "connection_broken" ON "connections";--> statement-breakpoint
DROP TRIGGER "connection_restored" ON "connections";--> statement-breakpoint
DROP TRIGGER "secret_expiring" ON "connections";--> statement-breakpoint
DROP TRIGGER "agent_away" ON "remote_agents";--> statement-breakpoint
DROP FUNCTION "notify_of_connection"();--> statement-breakpoint
DROP FUNCTION "notify_of_agent"();
