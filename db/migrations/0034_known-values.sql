-- The database refuses unknown values of enums. NOT VALID: rows of earlier versions are not read again, so large tables are not locked.
ALTER TABLE "alert_entities" ADD CONSTRAINT "alert_entities_kind_known" CHECK ("kind" in ('ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id', 'alert-id', 'investigation-id')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "alert_entities" ADD CONSTRAINT "alert_entities_role_known" CHECK ("role" in ('source', 'destination', 'victim', 'sender', 'recipient', 'actor')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_role_known" CHECK ("role" in ('sender', 'analyst', 'admin')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "case_clocks" ADD CONSTRAINT "case_clocks_kind_known" CHECK ("kind" in ('acknowledge', 'close')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "case_timeline" ADD CONSTRAINT "case_timeline_kind_known" CHECK ("kind" in ('opened', 'concluded', 'failed', 'reinvestigated', 'status', 'assignee', 'comment', 'verdict', 'proposed', 'decided', 'action', 'follow-up', 'merge', 'legal-hold', 'title', 'task', 'attachment', 'tags')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_status_known" CHECK ("status" in ('open', 'in_progress', 'closed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_severity_known" CHECK ("severity" in ('informational', 'low', 'medium', 'high', 'critical')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_verdict_known" CHECK ("verdict" in ('malicious', 'suspicious', 'benign', 'inconclusive')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_analyst_verdict_known" CHECK ("analyst_verdict" in ('malicious', 'suspicious', 'benign', 'inconclusive')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_classification_known" CHECK ("classification" in ('true_positive', 'false_positive', 'benign_positive')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_status_before_merge_known" CHECK ("status_before_merge" in ('open', 'in_progress', 'closed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "claim_mappings" ADD CONSTRAINT "claim_mappings_role_known" CHECK ("role" in ('sender', 'analyst', 'admin')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_state_known" CHECK ("state" in ('untested', 'working', 'broken')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "entity_values" ADD CONSTRAINT "entity_values_kind_known" CHECK ("kind" in ('ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id', 'alert-id', 'investigation-id')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_kind_known" CHECK ("kind" in ('finding', 'gap', 'note')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "investigations" ADD CONSTRAINT "investigations_status_known" CHECK ("status" in ('Created', 'Submitted', 'InProgress', 'Completed', 'Failed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "investigations" ADD CONSTRAINT "investigations_verdict_known" CHECK ("verdict" in ('malicious', 'suspicious', 'benign', 'inconclusive')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "investigations" ADD CONSTRAINT "investigations_severity_known" CHECK ("severity" in ('informational', 'low', 'medium', 'high', 'critical')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_role_known" CHECK ("role" in ('sender', 'analyst', 'admin')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role_known" CHECK ("role" in ('sender', 'analyst', 'admin')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_state_known" CHECK ("state" in ('pending', 'delivered', 'failed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_min_severity_known" CHECK ("min_severity" in ('informational', 'low', 'medium', 'high', 'critical')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "organization_knowledge" ADD CONSTRAINT "organization_knowledge_kind_known" CHECK ("kind" in ('domain', 'network', 'mail-relay', 'syslog-relay', 'vpn-exit', 'nat', 'scanner', 'test-account', 'drill-provider')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "playbooks" ADD CONSTRAINT "playbooks_origin_known" CHECK ("origin" in ('written', 'generated')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "playbooks" ADD CONSTRAINT "playbooks_severity_known" CHECK ("severity" in ('informational', 'low', 'medium', 'high', 'critical')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "protected_assets" ADD CONSTRAINT "protected_assets_kind_known" CHECK ("kind" in ('host', 'user', 'tag')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "retention_rules" ADD CONSTRAINT "retention_rules_kind_known" CHECK ("kind" in ('alerts', 'answers', 'records', 'stream-events', 'histories', 'audit')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "retention_rules" ADD CONSTRAINT "retention_rules_severity_known" CHECK ("severity" in ('informational', 'low', 'medium', 'high', 'critical')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "rule_changes" ADD CONSTRAINT "rule_changes_change_known" CHECK ("change" in ('resume-writes', 'raise-limit', 'unprotect-asset', 'drop-second-person')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_list_known" CHECK ("list" in ('cases', 'alerts')) NOT VALID;
