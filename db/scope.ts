import { type Column, eq, type SQL } from 'drizzle-orm';

/** Limits a query to the rows of an organization. null: all organizations. */
export function inOrganization(column: Column, scope: string | null): SQL | undefined {
  return scope === null ? undefined : eq(column, scope);
}
