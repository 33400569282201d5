CREATE TABLE "proven_names" (
	"organization_uuid" uuid NOT NULL,
	"family" text NOT NULL,
	"name" text NOT NULL,
	"short" text NOT NULL,
	"full" text NOT NULL,
	"stated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "proven_names_organization_uuid_family_name_short_full_pk" PRIMARY KEY("organization_uuid","family","name","short","full"),
	CONSTRAINT "proven_names_family_known" CHECK ("family" in ('host', 'account'))
);
--> statement-breakpoint
CREATE INDEX "entity_values_by_name" ON "entity_values" USING btree ("organization_uuid",lower(left(case when "kind" = 'host' then split_part("value", '.', 1) else split_part(regexp_replace("value", '^.*\\', ''), '@', 1) end, 200))) WHERE kind in ('host', 'user', 'email');