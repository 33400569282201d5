ALTER TABLE "retention_rules" ALTER COLUMN "organization_uuid" DROP NOT NULL;--> statement-breakpoint
-- The rule without an organization covers entries without one. While any organization has a hold, they stay.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    IF (TG_OP = 'DELETE' AND EXISTS (SELECT FROM retention_rules WHERE kind = 'audit'))
      OR (TG_OP = 'UPDATE' AND EXISTS (SELECT FROM erasures WHERE ended_at IS NULL)) THEN
      RETURN NULL;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF EXISTS (
      SELECT FROM retention_rules AS rule WHERE rule.organization_uuid IS NOT DISTINCT FROM OLD.organization_uuid AND rule.kind = 'audit'
        AND OLD.at < now() - make_interval(days => rule.days)
    ) AND NOT EXISTS (
      SELECT FROM legal_holds AS hold
      WHERE hold.case_uuid IS NULL AND (OLD.organization_uuid IS NULL OR hold.organization_uuid = OLD.organization_uuid)
    ) THEN
      RETURN OLD;
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF (NEW.entry_no, NEW.at, NEW.principal_uuid, NEW.organization_uuid, NEW.action)
        IS NOT DISTINCT FROM (OLD.entry_no, OLD.at, OLD.principal_uuid, OLD.organization_uuid, OLD.action)
      AND EXISTS (
        SELECT FROM erasures
        WHERE erasures.ended_at IS NULL AND (OLD.organization_uuid IS NULL OR erasures.organization_uuid = OLD.organization_uuid)
      ) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
