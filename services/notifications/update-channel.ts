import { requireContract } from '../../channels/catalogue.js';
import { recordAudit } from '../../db/identity/audit.js';
import { replaceSecrets, updateChannelRow } from '../../db/notifications/channels.js';
import { inTransaction } from '../context.js';
import { invalid } from '../errors.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { checkSettings } from './check-settings.js';
import type { ChannelContext } from './context.js';
import { refuseTakenName } from './refuse-taken-name.js';
import { readChannel, requireLockedChannel } from './require-channel.js';
import { sealSecrets } from './seal-secrets.js';
import type { Channel, UpdateChannel } from './wire.js';

export function updateChannel(context: ChannelContext, channelUuid: string, update: UpdateChannel): Promise<Channel> {
  return refuseTakenName(() =>
    inTransaction(context, async ({ db, by, now, runner, keyring, operator, afterCommit }) => {
      if (update.settings !== undefined) await requireRecentSignIn({ db, by, now });
      const { kind, organizationUuid } = await requireLockedChannel(db, by.organizationUuid, channelUuid);
      const { name, settings, secrets, is_enabled: isEnabled } = update;
      if (settings === undefined && secrets !== undefined)
        throw invalid([{ pointer: '#/settings', detail: 'Send the settings together with the secrets.' }]);
      const fields = settings === undefined ? null : checkSettings(kind, { settings, secrets: secrets ?? {} }, operator);
      await updateChannelRow(db, channelUuid, {
        ...(name === undefined ? {} : { name }),
        ...(fields === null ? {} : { settings: fields.settings }),
        ...(isEnabled === undefined ? {} : { isEnabled }),
        modifiedAt: now(),
      });
      // New settings could send the stored secrets to another host. A signed channel sends only signatures.
      const replaces = fields !== null && !requireContract(kind).isSigned;
      if (replaces) await replaceSecrets(db, channelUuid, sealSecrets(keyring, { organizationUuid, channelUuid }, fields.secrets));
      const changed = Object.keys({ ...update, ...(replaces ? { secrets } : {}) });
      await recordAudit(db, { by, organizationUuid, action: 'notification-channel.update', target: channelUuid, details: { changed } });
      afterCommit(() => runner.wakeChannels([channelUuid]));
      return readChannel(db, channelUuid);
    }),
  );
}
