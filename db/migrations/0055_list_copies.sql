CREATE TABLE "copied_item_keys" (
	"connection_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"item_id" text NOT NULL,
	CONSTRAINT "copied_item_keys_connection_uuid_kind_key_item_id_pk" PRIMARY KEY("connection_uuid","kind","key","item_id")
);
--> statement-breakpoint
CREATE TABLE "copied_items" (
	"connection_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"at" timestamp (3) with time zone,
	"item" jsonb NOT NULL,
	CONSTRAINT "copied_items_connection_uuid_kind_item_id_pk" PRIMARY KEY("connection_uuid","kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "list_copies" (
	"connection_uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"generation" integer NOT NULL,
	"period" smallint DEFAULT 0 NOT NULL,
	"covered_from" timestamp (3) with time zone,
	"covered_until" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	"whole_at" timestamp (3) with time zone,
	"unusable_until" timestamp (3) with time zone,
	"last_error" text,
	"reading_by" text,
	"reading_until" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "list_copies_connection_uuid_kind_pk" PRIMARY KEY("connection_uuid","kind")
);
--> statement-breakpoint
ALTER TABLE "skill_results" ADD COLUMN "copied_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "copied_item_keys" ADD CONSTRAINT "copied_item_keys_item" FOREIGN KEY ("connection_uuid","kind","item_id") REFERENCES "public"."copied_items"("connection_uuid","kind","item_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "copied_items" ADD CONSTRAINT "copied_items_copy" FOREIGN KEY ("connection_uuid","kind") REFERENCES "public"."list_copies"("connection_uuid","kind") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_copies" ADD CONSTRAINT "list_copies_connection_uuid_connections_connection_uuid_fk" FOREIGN KEY ("connection_uuid") REFERENCES "public"."connections"("connection_uuid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "copied_item_keys_by_item" ON "copied_item_keys" USING btree ("connection_uuid","kind","item_id");--> statement-breakpoint
CREATE INDEX "list_copies_by_use" ON "list_copies" USING btree ("used_at");