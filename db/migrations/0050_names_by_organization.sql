DROP INDEX "users_email_key";--> statement-breakpoint
DROP INDEX "users_name_key";--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree (lower("email")) WHERE issuer is null and deactivated_at is null;--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower("name")) WHERE deactivated_at is null;