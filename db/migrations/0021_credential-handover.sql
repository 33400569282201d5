CREATE TABLE "credential_links" (
	"link_uuid" uuid PRIMARY KEY NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"connection_uuid" uuid,
	"new_connection" jsonb,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "secret_expires_on" date;--> statement-breakpoint
ALTER TABLE "credential_links" ADD CONSTRAINT "credential_links_organization_uuid_organizations_organization_uuid_fk" FOREIGN KEY ("organization_uuid") REFERENCES "public"."organizations"("organization_uuid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credential_links" ADD CONSTRAINT "credential_links_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credential_links_token_key" ON "credential_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "credential_links_by_organization" ON "credential_links" USING btree ("organization_uuid","link_uuid");--> statement-breakpoint
CREATE INDEX "credential_links_by_connection" ON "credential_links" USING btree ("connection_uuid");