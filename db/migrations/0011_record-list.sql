DROP INDEX "third_party_records_by_organization";--> statement-breakpoint
ALTER TABLE "third_party_records" ADD COLUMN "record_uuid" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "third_party_records" ADD COLUMN "listed_at" timestamp with time zone GENERATED ALWAYS AS (coalesce(updated_at, happened_at, to_timestamp(0))) STORED NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "third_party_records_newest" ON "third_party_records" USING btree ("listed_at","record_uuid");--> statement-breakpoint
CREATE INDEX "third_party_records_newest_of_organization" ON "third_party_records" USING btree ("organization_uuid","listed_at","record_uuid");--> statement-breakpoint
CREATE INDEX "third_party_records_newest_of_copy" ON "third_party_records" USING btree ("connection_uuid","kind","listed_at","record_uuid");--> statement-breakpoint
CREATE INDEX "third_party_records_by_word" ON "third_party_records" USING gin (to_tsvector('simple', title));--> statement-breakpoint
CREATE INDEX "third_party_records_by_copy_time" ON "third_party_records" USING btree ("copied_at");