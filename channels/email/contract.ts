import { z } from 'zod';
import { text } from '../../domain/text.js';
import { defineChannel, details, secret } from '../kit/define.js';

export const email = defineChannel({
  kind: 'email',
  title: 'Email',
  settings: z.strictObject({
    host: text(253).meta({ title: 'Mail server' }),
    port: z.int().min(1).max(65_535).default(465).meta({ title: 'Port' }),
    starttls: z.boolean().default(false).meta({
      title: 'STARTTLS',
      description: 'The connection begins without TLS, usually on port 587. Default: TLS from the first byte.',
    }),
    from: z.email().max(254).meta({ title: 'Sender' }),
    to: z.array(z.email().max(254)).min(1).max(20).meta({ title: 'Recipients' }),
    username: text(200).optional().meta({ title: 'User name' }),
    details,
  }),
  secrets: z.strictObject({ password: secret('Password').optional() }),
  receiver: 'to',
  sendsDigests: true,
  bringsDecisions: true,
  updatesMessages: false,
  isSigned: false,
});
