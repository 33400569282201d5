import { z } from 'zod';

const DAY_MS = 86_400_000;
/** The dashboard warns this many days ahead, to leave time for a new secret. */
export const EXPIRY_WARNING_DAYS = 30;

/** The calendar day in UTC, `2026-11-17`. */
export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The day on which the third party stops accepting a secret. */
export const SecretExpiresOn = z.iso
  .date()
  .refine((day) => day >= toDay(new Date()), 'is in the past. Enter the day on which the new secret expires, or leave it out')
  .describe('The day (UTC) on which the secret expires. New credentials without it clear the stored day.');

export interface SecretExpiry {
  /** Negative after the day. */
  readonly days: number;
  readonly state: 'fresh' | 'soon' | 'expired';
  readonly text: string;
}

/** `Secret expires in 12 days`. A secret still works on its last day. */
export function describeSecretExpiry(day: string, now: Date): SecretExpiry {
  const days = Math.round((Date.parse(day) - Date.parse(toDay(now))) / DAY_MS);
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  if (days < 0) return { days, state: 'expired', text: `Secret expired ${count} ago` };
  const state = days <= EXPIRY_WARNING_DAYS ? 'soon' : 'fresh';
  return { days, state, text: days === 0 ? 'Secret expires today' : `Secret expires in ${count}` };
}
