import { z } from 'zod';
import type { AffectedAssets } from '../connection/affected-assets.js';
import { valuesAt } from '../playbook/conditions.js';
import { applies, type InputCondition } from './write.js';

/** Which writes of a connection need two people: all, those that its contract declares as sensitive, or those of other rules only. */
export const SecondPersonRule = z.enum(['always', 'sensitive', 'never']);
export type SecondPersonRule = z.infer<typeof SecondPersonRule>;

/** A write with an effect that one person should not cause alone. All conditions must hold. */
export interface SensitiveWrite {
  readonly why: string;
  readonly when?: readonly InputCondition[];
  /** The URL at this path of the input has no path of its own, so that it names a whole host. */
  readonly wholeHostAt?: string;
  /** The write affects a server, or it is not known whether it does. */
  readonly onServers?: true;
}

/** The reasons why a write is sensitive. */
export function listSensitivities(
  declared: readonly SensitiveWrite[] | undefined,
  { input, assets }: { readonly input: unknown; readonly assets: AffectedAssets | null },
): string[] {
  const fitting = (declared ?? []).filter(
    ({ when = [], wholeHostAt, onServers }) =>
      when.every((condition) => applies(condition, input)) &&
      (wholeHostAt === undefined || valuesAt(input, wholeHostAt).some((url) => namesWholeHost(String(url)))) &&
      // Earlier versions did not store servers: their proposals keep the rules of their time.
      (onServers !== true || assets === null || (assets.servers ?? []).length > 0),
  );
  return [...new Set(fitting.map(({ why }) => why))];
}

/** Also true for a text that is no URL: it is not known what a third party makes of it. */
function namesWholeHost(text: string): boolean {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text : `http://${text.trim()}`);
  return url === null || (/^\/\**$/.test(url.pathname) && url.search === '');
}
