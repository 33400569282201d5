import { catalogue, requireContract } from '../../channels/catalogue.js';
import type { Transaction } from '../../db/client.js';
import { findPerson } from '../../db/identity/people.js';
import { findChannel } from '../../db/notifications/channels.js';
import { invalid } from '../errors.js';
import type { SaveRule } from './wire.js';

const DIGEST_TITLES = Object.values(catalogue).flatMap(({ title, sendsDigests }) => (sendsDigests ? [title] : []));

/** The channel must belong to the organization of the rule, and send its digest. */
async function checkRuleChannel(db: Transaction, organizationUuid: string, given: SaveRule): Promise<void> {
  const channel = await findChannel(db, organizationUuid, given.channel_id);
  if (!channel) throw invalid([{ pointer: '#/channel_id', detail: 'The organization has no notification channel with this id.' }]);
  if (given.digest === null || requireContract(channel.kind).sendsDigests) return;
  const detail = `Only these channels send digests: ${DIGEST_TITLES.join(', ')}. Choose such a channel, or remove the digest.`;
  throw invalid([{ pointer: '#/digest', detail }]);
}

export async function checkRule(db: Transaction, organizationUuid: string, given: SaveRule) {
  await checkRuleChannel(db, organizationUuid, given);
  const { channel_id: channelUuid, min_severity: minSeverity, is_enabled: isEnabled, ...more } = given;
  const { quiet_hours: quietHours, critical_at_once: criticalAtOnce, ...same } = more;
  const person = given.assignee === null ? null : await findPerson(db, organizationUuid, given.assignee);
  return { ...same, assigneeUuid: person?.userUuid ?? null, channelUuid, minSeverity, isEnabled, quietHours, criticalAtOnce };
}
