import { email } from './email/contract.js';
import type { ChannelContract, Channels } from './kit/define.js';
import { pagerduty } from './pagerduty/contract.js';
import { slack } from './slack/contract.js';
import { teams } from './teams/contract.js';
import { webhook } from './webhook/contract.js';

/** All channels. A new one needs a line here and in implementations.ts. */
export const catalogue = { webhook, email, slack, teams, pagerduty } as const satisfies Channels;

/** undefined for the stored kind of a newer version. */
export function findContract(kind: string): ChannelContract | undefined {
  const contracts: Channels = catalogue;
  return contracts[kind];
}

export function requireContract(kind: string): ChannelContract {
  const contract = findContract(kind);
  if (!contract) throw new Error(`This version of the service has no notification channel ${kind}.`);
  return contract;
}
