import { recordAudit } from '../../db/identity/audit.js';
import { findSecret, saveSecret } from '../../db/notifications/channels.js';
import type { Keyring } from '../../platform/keyring.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { readChannel, requireLockedChannel } from './require-channel.js';
import { newSigningSecret, openSecret, PREVIOUS_SIGNING_SECRET, SIGNING_SECRET, sealSecret } from './seal-secrets.js';
import type { ChannelWithSecret } from './wire.js';

/** A receiver needs time to take over a new secret: until then each message has the signatures of both. */
const OVERLAP_SECONDS = 86_400;

export function rotateSecret(context: Context, keyring: Keyring, channelUuid: string): Promise<ChannelWithSecret> {
  return inTransaction(context, async ({ db, by, now }) => {
    await requireRecentSignIn({ db, by, now });
    const { organizationUuid } = await requireLockedChannel(db, by.organizationUuid, channelUuid);
    const stored = await findSecret(db, channelUuid, SIGNING_SECRET);
    if (!stored) throw conflict('Only a webhook has a signing secret. Update the channel to enter other secrets again.');
    const owner = { organizationUuid, channelUuid };
    const secret = newSigningSecret();
    const previous = openSecret(keyring, owner, stored);
    await saveSecret(db, channelUuid, { ...sealSecret(keyring, owner, SIGNING_SECRET, secret), validUntil: null });
    await saveSecret(db, channelUuid, {
      ...sealSecret(keyring, owner, PREVIOUS_SIGNING_SECRET, previous),
      validUntil: now() + OVERLAP_SECONDS,
    });
    await recordAudit(db, { by, organizationUuid, action: 'notification-channel.rotate-secret', target: channelUuid, details: {} });
    return { ...(await readChannel(db, channelUuid)), signing_secret: secret };
  });
}
