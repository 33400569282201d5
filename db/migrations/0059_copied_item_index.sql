DROP INDEX "copied_item_keys_by_item";--> statement-breakpoint
CREATE INDEX "copied_item_keys_by_item" ON "copied_item_keys" USING btree ("item_id","connection_uuid","kind");