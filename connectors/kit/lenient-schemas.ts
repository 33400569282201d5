import { z } from 'zod';

// A field that a third party omits, sends as null or in an undocumented form is null or an empty list here.

export const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value || null);

export const count = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

export const texts = z
  .array(z.string())
  .nullish()
  .catch(null)
  .transform((value) => value ?? []);

export function part<const Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .looseObject(shape)
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
}
