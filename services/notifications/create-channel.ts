import { requireContract } from '../../channels/catalogue.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { countChannels, insertChannel, replaceSecrets } from '../../db/notifications/channels.js';
import { inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { checkSettings } from './check-settings.js';
import type { ChannelContext } from './context.js';
import { refuseTakenName } from './refuse-taken-name.js';
import { readChannel } from './require-channel.js';
import { newSigningSecret, SIGNING_SECRET, sealSecrets } from './seal-secrets.js';
import type { ChannelWithSecret, CreateChannel } from './wire.js';

/** For each organization. */
const MAX_CHANNELS = 100;

export function createChannel(context: ChannelContext, given: CreateChannel): Promise<ChannelWithSecret> {
  const { organization_code: code, kind, name } = given;
  const { settings, secrets } = checkSettings(kind, given, context.operator);
  const signing = requireContract(kind).isSigned ? { [SIGNING_SECRET]: newSigningSecret() } : {};
  return refuseTakenName(() =>
    inTransaction(context, async ({ db, by, now, keyring }) => {
      const owner = { organizationUuid: await requireOrganization(db, by, code), channelUuid: newUuid() };
      const { organizationUuid, channelUuid } = owner;
      if ((await countChannels(db, organizationUuid)) >= MAX_CHANNELS)
        throw conflict(`An organization has at most ${MAX_CHANNELS} channels. Delete one first.`);
      await insertChannel(db, { ...owner, kind, name, settings, createdAt: now(), modifiedAt: now() });
      await replaceSecrets(db, channelUuid, sealSecrets(keyring, owner, { ...secrets, ...signing }));
      await recordAudit(db, { by, organizationUuid, action: 'notification-channel.create', target: channelUuid, details: { kind, name } });
      return { ...(await readChannel(db, channelUuid)), signing_secret: signing[SIGNING_SECRET] ?? null };
    }),
  );
}
