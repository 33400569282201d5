import type { catalogue } from './catalogue.js';
import { deliverEmail } from './email/deliver.js';
import type { Deliver } from './kit/deliver.js';
import { deliverPagerDuty } from './pagerduty/deliver.js';
import { deliverSlack } from './slack/deliver.js';
import { deliverTeams } from './teams/deliver.js';
import { deliverWebhook } from './webhook/deliver.js';

/** The compiler finds a channel without an implementation. */
export const implementations = {
  webhook: deliverWebhook,
  email: deliverEmail,
  slack: deliverSlack,
  teams: deliverTeams,
  pagerduty: deliverPagerDuty,
} satisfies { [Kind in keyof typeof catalogue]: Deliver<(typeof catalogue)[Kind]> };
