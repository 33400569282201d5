import { z } from 'zod';
import { text } from '../../domain/text.js';
import { defineChannel, details, httpsUrl, secret } from '../kit/define.js';

export const slack = defineChannel({
  kind: 'slack',
  title: 'Slack',
  settings: z.strictObject({
    channel: text(80).meta({ title: 'Slack channel', description: 'Its name or ID. Invite the bot to it.' }),
    api_url: httpsUrl()
      .default('https://slack.com/api')
      .meta({ title: 'API URL', description: 'Only the operator sets it (SLACK_API_URL).' }),
    details,
  }),
  secrets: z.strictObject({
    bot_token: secret('Bot token', 'With the scope chat:write.'),
    app_token: secret(
      'App-level token',
      'With the scope connections:write. Messages then have buttons that approve and refuse actions.',
    ).optional(),
  }),
  receiver: 'channel',
  sendsDigests: true,
  bringsDecisions: true,
  updatesMessages: true,
  isSigned: false,
  fixedByOperator: { api_url: 'SLACK_API_URL' },
});
