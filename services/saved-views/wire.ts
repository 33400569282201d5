import { z } from 'zod';
import { ViewedList } from '../../domain/case/viewed-list.js';
import { nameText, storable } from '../../domain/text.js';

const MAX_FILTERS = 20;

const Filters = z
  .record(storable(50), storable(500))
  .refine((filters) => Object.keys(filters).length <= MAX_FILTERS, `must have at most ${MAX_FILTERS} filters`)
  .describe('The filters and the order as search parameters of the page.');

export const SavedView = z.object({
  view_id: z.uuid(),
  list: ViewedList,
  name: z.string(),
  filters: z.record(z.string(), z.string()),
  is_shared: z.boolean().describe('Whether all keys of the organization see the view.'),
  is_own: z.boolean().describe('Whether this API key created the view.'),
  created_by: z.string().describe('Name of the API key that created the view.'),
  created_at: z.int(),
});
export type SavedView = z.infer<typeof SavedView>;

export const CreateSavedView = z.strictObject({
  list: ViewedList,
  name: nameText(100),
  filters: Filters,
  is_shared: z.boolean().default(false),
});
export type CreateSavedView = z.infer<typeof CreateSavedView>;

export const UpdateSavedView = z
  .strictObject({ name: nameText(100), filters: Filters, is_shared: z.boolean() })
  .partial()
  .refine((update) => Object.keys(update).length > 0, 'name at least one of name, filters, is_shared');
export type UpdateSavedView = z.infer<typeof UpdateSavedView>;
