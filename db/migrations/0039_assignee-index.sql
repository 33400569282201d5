-- Names are read only where the case has no user.
DROP INDEX "cases_by_assignee";
--> statement-breakpoint
CREATE INDEX "cases_by_assignee_name" ON "cases" USING btree ("assignee","case_uuid") WHERE assignee_uuid is null;
