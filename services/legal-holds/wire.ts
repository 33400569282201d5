import { z } from 'zod';
import { text } from '../../domain/text.js';

export const PlaceLegalHold = z.strictObject({ reason: text(1000) });
