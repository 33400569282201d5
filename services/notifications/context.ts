import type { OperatorSettings } from '../../channels/kit/define.js';
import type { Keyring } from '../../platform/keyring.js';
import type { Context } from '../context.js';

/** For a command that stores the settings and secrets of a channel. */
export interface ChannelContext extends Context {
  readonly keyring: Keyring;
  readonly operator: OperatorSettings;
}
