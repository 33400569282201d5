import { z } from 'zod';
import { isSecret } from '../../connectors/kit/define.js';
import type { ConnectorField } from '../../services/connections/wire.js';
import { toJsonSchema } from './openapi.js';

/** The form of a connector or a channel, from its schema. */
export function describeFields(schema: z.ZodObject): ConnectorField[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const described = toJsonSchema(field instanceof z.ZodType ? field : z.unknown(), 'input');
    const { title, description, secret: _, ...rest } = described;
    return {
      name,
      label: String(title ?? name),
      help: String(description ?? ''),
      secret: isSecret(field),
      required: !(field instanceof z.ZodOptional) && !('default' in described),
      schema: rest,
    };
  });
}
