-- A skill's key (`<connector>.<verb>`, see connectors/skill-index.ts) stays when the skill gets another title.
-- A column name has one meaning: the kind (`endpoint-detection`) or the key of the catalogue (`endpointDetection`).
ALTER TABLE "connections" RENAME COLUMN "connector" TO "connector_kind";
--> statement-breakpoint
ALTER TABLE "skill_results" RENAME COLUMN "connector" TO "connector_kind";
--> statement-breakpoint
ALTER TABLE "skill_runs" RENAME COLUMN "connector" TO "connector_key";
--> statement-breakpoint
ALTER TABLE "proposals" RENAME COLUMN "connector" TO "connector_key";
--> statement-breakpoint
-- The name of the activity is the key already.
ALTER TABLE "agent_steps" RENAME COLUMN "activity_name" TO "skill_key";
--> statement-breakpoint
ALTER TABLE "skill_runs" ADD COLUMN "skill_key" text GENERATED ALWAYS AS (connector_key || '.' || verb) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "skill_key" text GENERATED ALWAYS AS (connector_key || '.' || verb) STORED NOT NULL;
--> statement-breakpoint
DROP INDEX "skill_results_by_question";
--> statement-breakpoint
ALTER TABLE "skill_results" ADD COLUMN "skill_key" text;
--> statement-breakpoint
ALTER TABLE "connection_refusals" ADD COLUMN "skill_key" text;
--> statement-breakpoint
ALTER TABLE "connection_waiters" ADD COLUMN "skill_key" text;
--> statement-breakpoint
-- The titles of this version. A skill that it does not have keeps its title, and gets `<kind>/<title>` as its key.
CREATE TABLE "skill_titles" ("kind" text NOT NULL, "title" text NOT NULL, "key" text NOT NULL, PRIMARY KEY ("kind", "title"));
--> statement-breakpoint
INSERT INTO "skill_titles" VALUES
	('endpoint-detection', 'Get machine action', 'endpointDetection.getMachineAction'),
	('endpoint-detection', 'Get investigation package', 'endpointDetection.getInvestigationPackage'),
	('endpoint-detection', 'Get live response result', 'endpointDetection.getLiveResponseResult'),
	('endpoint-detection', 'Get scan result', 'endpointDetection.getScanResult'),
	('endpoint-detection', 'List machine actions', 'endpointDetection.listMachineActions'),
	('endpoint-detection', 'List alerts', 'endpointDetection.listAlerts'),
	('endpoint-detection', 'Get alert', 'endpointDetection.getAlert'),
	('endpoint-detection', 'Run advanced query', 'endpointDetection.runAdvancedQuery'),
	('endpoint-detection', 'List indicators', 'endpointDetection.listIndicators'),
	('endpoint-detection', 'Create indicator', 'endpointDetection.createIndicator'),
	('endpoint-detection', 'List machines', 'endpointDetection.listMachines'),
	('endpoint-detection', 'Get machine', 'endpointDetection.getMachine'),
	('endpoint-detection', 'List machine logon users', 'endpointDetection.listMachineLogonUsers'),
	('endpoint-detection', 'Isolate machine', 'endpointDetection.isolateMachine'),
	('endpoint-detection', 'Unisolate machine', 'endpointDetection.unisolateMachine'),
	('endpoint-detection', 'Run antivirus scan', 'endpointDetection.runAntivirusScan'),
	('endpoint-detection', 'Collect investigation package', 'endpointDetection.collectInvestigationPackage'),
	('endpoint-detection', 'Run live response', 'endpointDetection.runLiveResponse'),
	('endpoint-detection', 'List vulnerabilities', 'endpointDetection.listVulnerabilities'),
	('endpoint-detection', 'List machines vulnerabilities', 'endpointDetection.listMachinesVulnerabilities'),
	('endpoint-detection', 'List recommendations', 'endpointDetection.listRecommendations'),
	('incident-source', 'List Incidents for Detections', 'incidentSource.listIncidentsForDetections'),
	('incident-source', 'List Incidents', 'incidentSource.listIncidents'),
	('incident-source', 'Get Incident', 'incidentSource.getIncident'),
	('malware-protection', 'Retrieve Events', 'malwareProtection.retrieveEvents'),
	('malware-protection', 'List computers', 'malwareProtection.listComputers'),
	('malware-protection', 'Create event stream', 'malwareProtection.createEventStream'),
	('vulnerability-investigation', 'List investigations', 'vulnerabilityInvestigation.listInvestigations'),
	('vulnerability-investigation', 'Get investigation', 'vulnerabilityInvestigation.getInvestigation'),
	('vulnerability-investigation', 'List investigation alerts', 'vulnerabilityInvestigation.listInvestigationAlerts'),
	('vulnerability-investigation', 'Search vulnerabilities of an asset', 'vulnerabilityInvestigation.searchVulnerabilitiesOfAsset'),
	('travel-booking', 'Get Users', 'travelBooking.getUsers'),
	('travel-booking', 'Search User Travel', 'travelBooking.searchUserTravel'),
	('travel-booking', 'Get Bookings', 'travelBooking.getBookings'),
	('threat-intelligence', 'Get Playbook Alerts', 'threatIntelligence.getPlaybookAlerts'),
	('threat-intelligence', 'List Alerts', 'threatIntelligence.listAlerts'),
	('threat-intelligence', 'Get Enrichment', 'threatIntelligence.getEnrichment');
--> statement-breakpoint
UPDATE "skill_results" SET "skill_key" = coalesce(
	(SELECT "key" FROM "skill_titles" WHERE "kind" = "connector_kind" AND "title" = "skill_id"), "connector_kind" || '/' || "skill_id");
--> statement-breakpoint
UPDATE "connection_refusals" SET "skill_key" = coalesce(
	(SELECT "key" FROM "skill_titles" WHERE "kind" = "connector_kind" AND "title" = "skill_id"), "connector_kind" || '/' || "skill_id")
FROM "connections" WHERE "connections"."connection_uuid" = "connection_refusals"."connection_uuid";
--> statement-breakpoint
UPDATE "connection_waiters" SET "skill_key" = coalesce(
	(SELECT "key" FROM "skill_titles" WHERE "kind" = "connector_kind" AND "title" = "skill_id"), "connector_kind" || '/' || "skill_id")
FROM "connections" WHERE "connections"."connection_uuid" = "connection_waiters"."connection_uuid";
--> statement-breakpoint
UPDATE "evidence" SET "source" = "source" || jsonb_build_object('skill_key', coalesce(
	(SELECT "key" FROM "skill_titles" WHERE "skill_titles"."kind" = "source"->>'connector' AND "skill_titles"."title" = "source"->>'skill_id'),
	("source"->>'connector') || '/' || ("source"->>'skill_id')))
WHERE "source" ? 'skill_id';
--> statement-breakpoint
UPDATE "follow_ups" SET "waits_for" = (
	SELECT jsonb_agg("waited" || jsonb_build_object('skillKey', coalesce(
		(SELECT "key" FROM "skill_titles" WHERE "kind" = "connector_kind" AND "title" = "waited"->>'skillId'),
		coalesce("connector_kind", '') || '/' || ("waited"->>'skillId'))))
	FROM jsonb_array_elements("waits_for") AS "waited"
		LEFT JOIN "connections" ON "connection_uuid" = ("waited"->>'connectionId')::uuid)
WHERE jsonb_typeof("waits_for") = 'array' AND "waits_for" <> '[]';
--> statement-breakpoint
DROP TABLE "skill_titles";
--> statement-breakpoint
ALTER TABLE "skill_results" ALTER COLUMN "skill_key" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "connection_refusals" ALTER COLUMN "skill_key" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "connection_waiters" ALTER COLUMN "skill_key" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "connection_refusals" DROP CONSTRAINT "connection_refusals_connection_uuid_skill_id_pk";
--> statement-breakpoint
ALTER TABLE "connection_refusals" ADD CONSTRAINT "connection_refusals_connection_uuid_skill_key_pk" PRIMARY KEY("connection_uuid","skill_key");
--> statement-breakpoint
CREATE INDEX "skill_results_by_question" ON "skill_results" USING btree ("connection_uuid","skill_key","request_digest","result_uuid") WHERE operation_key is null;
