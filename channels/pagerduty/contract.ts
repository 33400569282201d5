import { z } from 'zod';
import { defineChannel, httpsUrl, secret } from '../kit/define.js';

export const pagerduty = defineChannel({
  kind: 'pagerduty',
  title: 'PagerDuty',
  settings: z.strictObject({
    url: httpsUrl().default('https://events.pagerduty.com/v2/enqueue').meta({ title: 'Address' }),
  }),
  secrets: z.strictObject({ routing_key: secret('Integration key', 'That of the service in PagerDuty.') }),
  receiver: 'url',
  sendsDigests: false,
  bringsDecisions: true,
  updatesMessages: false,
  isSigned: false,
});
