CREATE TABLE "record_copies" (
	"connection_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"covered_from" timestamp with time zone,
	"covered_until" timestamp with time zone,
	"reading_until" timestamp with time zone,
	"last_error" text,
	CONSTRAINT "record_copies_connection_uuid_kind_pk" PRIMARY KEY("connection_uuid","kind")
);
--> statement-breakpoint
CREATE TABLE "record_values" (
	"connection_uuid" uuid NOT NULL,
	"value" text NOT NULL,
	"kind" text NOT NULL,
	"record_id" text NOT NULL,
	CONSTRAINT "record_values_connection_uuid_value_kind_record_id_pk" PRIMARY KEY("connection_uuid","value","kind","record_id")
);
--> statement-breakpoint
CREATE TABLE "third_party_records" (
	"connection_uuid" uuid NOT NULL,
	"record_id" text NOT NULL,
	"organization_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"severity" text,
	"is_open" boolean NOT NULL,
	"conclusion" text,
	"state" text NOT NULL,
	"happened_at" timestamp with time zone,
	"updated_at" timestamp with time zone,
	"merged_into" text,
	"also_known_as" text[] NOT NULL,
	"techniques" text[] NOT NULL,
	"values" text[] NOT NULL,
	"copied_at" timestamp with time zone NOT NULL,
	CONSTRAINT "third_party_records_connection_uuid_kind_record_id_pk" PRIMARY KEY("connection_uuid","kind","record_id")
);
--> statement-breakpoint
ALTER TABLE "record_copies" ADD CONSTRAINT "record_copies_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_values" ADD CONSTRAINT "record_values_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "third_party_records" ADD CONSTRAINT "third_party_records_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "record_values_by_record" ON "record_values" USING btree ("connection_uuid","kind","record_id");--> statement-breakpoint
CREATE INDEX "third_party_records_by_organization" ON "third_party_records" USING btree ("organization_uuid","updated_at");--> statement-breakpoint
CREATE INDEX "skill_results_by_question" ON "skill_results" USING btree ("connection_uuid","skill_id","request_digest","result_uuid") WHERE operation_key is null;