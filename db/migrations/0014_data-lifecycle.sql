CREATE TABLE "erasures" (
	"erasure_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"begun_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "legal_holds" (
	"organization_uuid" uuid NOT NULL,
	"case_uuid" uuid,
	"reason" text NOT NULL,
	"placed_by" text NOT NULL,
	"placed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "legal_holds_key" UNIQUE NULLS NOT DISTINCT("case_uuid","organization_uuid")
);
--> statement-breakpoint
CREATE TABLE "retention_rules" (
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"severity" text,
	"days" integer NOT NULL,
	CONSTRAINT "retention_rules_key" UNIQUE NULLS NOT DISTINCT("organization_uuid","kind","severity"),
	CONSTRAINT "retention_rules_days" CHECK (days >= case kind when 'audit' then 90 else 1 end)
);
--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_case_uuid_cases_case_uuid_fk" FOREIGN KEY ("case_uuid") REFERENCES "public"."cases"("case_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_rules" ADD CONSTRAINT "retention_rules_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cases_by_closing" ON "cases" USING btree ("organization_uuid","closed_at") WHERE status = 'closed' and merged_into is null;--> statement-breakpoint
CREATE INDEX "skill_results_reads" ON "skill_results" USING btree ("organization_uuid","result_uuid") WHERE operation_key is null;--> statement-breakpoint
-- Entries stay as they were written, with two exceptions that leave their own entries: a stored retention rule deletes old entries,
-- and a running erasure replaces text. Not even this service's own database user can do more.
DROP TRIGGER audit_log_append_only ON "audit_log";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    IF (TG_OP = 'DELETE' AND EXISTS (SELECT FROM retention_rules WHERE kind = 'audit'))
      OR (TG_OP = 'UPDATE' AND EXISTS (SELECT FROM erasures WHERE ended_at IS NULL)) THEN
      RETURN NULL;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF EXISTS (
      SELECT FROM retention_rules AS rule WHERE rule.organization_uuid = OLD.organization_uuid AND rule.kind = 'audit'
        AND OLD.at < now() - make_interval(days => rule.days)
    ) AND NOT EXISTS (
      SELECT FROM legal_holds AS hold WHERE hold.organization_uuid = OLD.organization_uuid AND hold.case_uuid IS NULL
    ) THEN
      RETURN OLD;
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF (NEW.entry_no, NEW.at, NEW.principal_uuid, NEW.organization_uuid, NEW.action)
        IS NOT DISTINCT FROM (OLD.entry_no, OLD.at, OLD.principal_uuid, OLD.organization_uuid, OLD.action)
      AND EXISTS (SELECT FROM erasures WHERE erasures.organization_uuid = OLD.organization_uuid AND erasures.ended_at IS NULL) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
