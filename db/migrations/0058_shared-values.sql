CREATE TABLE "shared_values" (
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"records" integer NOT NULL,
	"people" integer NOT NULL,
	"machines" integer NOT NULL,
	"cases" integer NOT NULL,
	"days" integer NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	CONSTRAINT "shared_values_organization_uuid_kind_value_pk" PRIMARY KEY("organization_uuid","kind","value"),
	CONSTRAINT "shared_values_kind_known" CHECK ("kind" in ('domain', 'network', 'mail-relay', 'syslog-relay', 'vpn-exit', 'nat', 'scanner', 'test-account', 'drill-provider', 'important-machine', 'important-account', 'shared-host', 'service-account'))
);
--> statement-breakpoint
ALTER TABLE "organization_knowledge" DROP CONSTRAINT "organization_knowledge_kind_known";--> statement-breakpoint
ALTER TABLE "shared_values" ADD CONSTRAINT "shared_values_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_knowledge" ADD CONSTRAINT "organization_knowledge_kind_known" CHECK ("kind" in ('domain', 'network', 'mail-relay', 'syslog-relay', 'vpn-exit', 'nat', 'scanner', 'test-account', 'drill-provider', 'important-machine', 'important-account', 'shared-host', 'service-account'));