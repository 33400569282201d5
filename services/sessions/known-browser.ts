import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Keyring } from '../../platform/keyring.js';

export const KNOWN_BROWSER_SECONDS = 90 * 86_400;
const PLACE = { organizationUuid: '', connectionUuid: '', field: 'known browser' };
const Sealed = z.object({ masterKeyId: z.string(), wrappedKey: z.string(), ciphertext: z.string() });
const KnownBrowser = z.object({ id: z.string(), email: z.string(), ends_at: z.int() });

/** The value of a cookie for a browser in which a user signed in. It only gives the browser limits of its own for wrong passwords. */
export function describeKnownBrowser(keyring: Keyring, email: string, now: number): string {
  const browser: z.infer<typeof KnownBrowser> = { id: randomUUID(), email: email.toLowerCase(), ends_at: now + KNOWN_BROWSER_SECONDS };
  return Buffer.from(JSON.stringify(keyring.seal(JSON.stringify(browser), PLACE))).toString('base64url');
}

/** The id of the browser. null: the user did not sign in there, or long ago. */
export function findKnownBrowser(keyring: Keyring, value: string | undefined, email: string, now: number): string | null {
  if (value === undefined) return null;
  try {
    const sealed = Sealed.parse(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')));
    const browser = KnownBrowser.parse(JSON.parse(keyring.open(sealed, PLACE)));
    return browser.email === email.toLowerCase() && browser.ends_at > now ? browser.id : null;
  } catch {
    return null;
  }
}
