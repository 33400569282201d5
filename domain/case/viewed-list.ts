import { z } from 'zod';

/** The lists of the dashboard that a saved view can filter. */
export const ViewedList = z.enum(['cases', 'alerts']);
export type ViewedList = z.infer<typeof ViewedList>;
