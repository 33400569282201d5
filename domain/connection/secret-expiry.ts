import { z } from 'zod';

const DAY_SECONDS = 86_400;
/** The dashboard warns this many days ahead, to leave time for a new secret. */
export const EXPIRY_WARNING_DAYS = 30;

/** The calendar day in UTC, `2026-11-17`. */
export function toDay(atSeconds: number): string {
  return new Date(atSeconds * 1000).toISOString().slice(0, 10);
}

/** The day on which the third party stops accepting a secret. */
export const SecretExpiresOn = z.iso
  .date()
  .describe('The day (UTC) on which the secret expires. New credentials without it clear the stored day.');

export interface SecretExpiry {
  /** Negative after the day. */
  readonly days: number;
  readonly state: 'fresh' | 'soon' | 'expired';
  readonly text: string;
}

/** `Secret expires in 12 days`. A secret still works on its last day. */
export function describeSecretExpiry(day: string, nowSeconds: number): SecretExpiry {
  const days = Math.round((Date.parse(day) - Date.parse(toDay(nowSeconds))) / 1000 / DAY_SECONDS);
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  if (days < 0) return { days, state: 'expired', text: `Secret expired ${count} ago` };
  const state = days <= EXPIRY_WARNING_DAYS ? 'soon' : 'fresh';
  return { days, state, text: days === 0 ? 'Secret expires today' : `Secret expires in ${count}` };
}
