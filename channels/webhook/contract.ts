import { z } from 'zod';
import { defineChannel, httpsUrl } from '../kit/define.js';

export const webhook = defineChannel({
  kind: 'webhook',
  title: 'Webhook',
  settings: z.strictObject({
    url: httpsUrl().meta({ title: 'Webhook URL', description: 'Begins with https://. It receives a signed CloudEvent for each event.' }),
  }),
  secrets: z.strictObject({}),
  receiver: 'url',
  sendsDigests: false,
  bringsDecisions: false,
  updatesMessages: false,
  isSigned: true,
});
