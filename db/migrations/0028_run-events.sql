-- Events of manual runs that wait for a second person. See 0023 for the other events.
CREATE FUNCTION notify_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(TG_ARGV[0], NEW.organization_uuid, NEW.run_uuid, jsonb_build_object(
    'run_id', NEW.run_uuid, 'skill_id', NEW.skill_id, 'requested_by', NEW.asked_by,
    'connection_id', connection_uuid, 'connector', connector, 'instance_name', instance_name
  ) || CASE TG_ARGV[0] WHEN 'run.decided' THEN jsonb_build_object('decision', CASE NEW.state WHEN 'refused' THEN 'refused' ELSE 'approved' END) ELSE '{}' END)
  FROM connections WHERE connection_uuid = NEW.connection_uuid;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER run_requested AFTER INSERT ON "skill_runs" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'proposed' AND writes_events()) EXECUTE FUNCTION notify_of_run('run.waiting');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER run_waiting AFTER UPDATE OF state ON "skill_runs" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'proposed' AND OLD.state <> 'proposed' AND writes_events()) EXECUTE FUNCTION notify_of_run('run.waiting');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER run_decided AFTER UPDATE OF state ON "skill_runs" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.state = 'proposed' AND NEW.state IN ('running', 'refused') AND writes_events()) EXECUTE FUNCTION notify_of_run('run.decided');
