import { z } from 'zod';

/** Neutral icons by what a third party does. Logos belong to their vendors. */
export const ConnectorIcon = z.enum(['device', 'incident', 'malware', 'vulnerability', 'travel', 'intelligence']);
export type ConnectorIcon = z.infer<typeof ConnectorIcon>;
