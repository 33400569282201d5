import { z } from 'zod';

export const TotpCode = z.string().regex(/^\d{6}$/, 'must have six digits');

/** Shown once. `uri` opens an authenticator app. */
export const TotpSecret = z.object({ secret: z.string(), uri: z.string() });
export type TotpSecret = z.infer<typeof TotpSecret>;

export const ConfirmTotp = z.strictObject({ code: TotpCode });
