import { z } from 'zod';

export const TotpCode = z.string().regex(/^\d{6}$/, 'must have six digits');

export const ConfirmTotp = z.strictObject({ code: TotpCode });
