CREATE INDEX "audit_log_by_principal" ON "audit_log" USING btree ("principal_name","entry_no") WHERE action <> 'alert.create';--> statement-breakpoint
CREATE INDEX "audit_log_by_target" ON "audit_log" USING btree ("target","entry_no") WHERE action <> 'alert.create';--> statement-breakpoint
CREATE INDEX "audit_log_by_action" ON "audit_log" USING btree ("action","entry_no") WHERE action <> 'alert.create';--> statement-breakpoint
CREATE INDEX "skill_runs_proposed" ON "skill_runs" USING btree ("organization_uuid","run_uuid") WHERE state = 'proposed';