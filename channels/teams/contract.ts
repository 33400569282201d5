import { z } from 'zod';
import { text } from '../../domain/text.js';
import { defineChannel, details, httpsUrl, secret } from '../kit/define.js';

export const teams = defineChannel({
  kind: 'teams',
  title: 'Microsoft Teams',
  settings: z.strictObject({
    tenant_id: z.uuid().meta({ title: 'Tenant ID', description: "The directory (tenant) ID of the bot's app registration." }),
    app_id: z.uuid().meta({ title: 'Application ID' }),
    channel_id: text(200).meta({
      title: 'Teams channel ID',
      description: 'Such as 19:…@thread.tacv2. Install the bot in its team.',
    }),
    service_url: httpsUrl().default('https://smba.trafficmanager.net/teams/').meta({ title: 'Service URL' }),
    login_url: httpsUrl().default('https://login.microsoftonline.com').meta({ title: 'Sign-in URL' }),
    details,
  }),
  secrets: z.strictObject({ app_password: secret('Client secret') }),
  receiver: 'channel_id',
  sendsDigests: true,
  bringsDecisions: true,
  updatesMessages: true,
  isSigned: false,
});
