import { z } from 'zod';
import { optionalText } from '../../domain/alert/intake-source.js';
import type { EntityKind } from '../../domain/entity/entity.js';
import { canonicalIp } from '../../domain/entity/ip.js';
import { type RecordConclusion, searchValues } from '../../domain/record/record.js';
import type { Severity } from '../../domain/verdict/evidence.js';

/** Alerts and incidents of both platforms use the same words for reviews and the same fields for entities. */
export const ReportedEntity = z.looseObject({
  sha1: optionalText,
  sha256: optionalText,
  ipAddress: optionalText,
  url: optionalText,
  accountName: optionalText,
  userPrincipalName: optionalText,
  mailboxAddress: optionalText,
});
export type ReportedEntity = z.infer<typeof ReportedEntity>;

const TESTS = /^(?:SecurityTesting|SecurityTest|Test)$/i;
/** A toolbar or an advertisement: the detection was right, but it was no attack. */
const UNWANTED = /^UnwantedSoftware$/i;
/** The reviewer closed it without a result. */
const UNDECIDED = /^(?:NotEnoughDataToValidate|NotAvailable.*needs.*)$/i;

/** What the reviewer concluded; null without a review. */
export function readConclusion(
  classification: string | null | undefined,
  determination: string | null | undefined,
): RecordConclusion | null {
  if (UNDECIDED.test(determination ?? '')) return null;
  const isTest = TESTS.test(determination ?? '');
  switch (classification?.toLowerCase()) {
    case 'truepositive':
      if (isTest) return 'test';
      return UNWANTED.test(determination ?? '') ? 'unwanted' : 'malicious';
    case 'falsepositive':
    case 'benignpositive':
    case 'informationalexpectedactivity':
      return isTest ? 'test' : 'benign';
    default:
      return null;
  }
}

export function readSeverity(severity: string | null | undefined): Severity | null {
  switch (severity?.toLowerCase()) {
    case 'high':
    case 'medium':
    case 'low':
    case 'informational':
    case 'critical':
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: each case is a severity.
      return severity.toLowerCase() as Severity;
    default:
      return null;
  }
}

/** The values that an alert can share with the entities of a record. */
export function listEntityValues(entities: readonly ReportedEntity[]): string[] {
  return entities.flatMap((entity) => [
    ...toValues('hash', entity.sha1),
    ...toValues('hash', entity.sha256),
    ...toValues('ip', canonicalIp(entity.ipAddress ?? '')),
    ...listUrlValues(entity.url),
    ...toValues('user', entity.accountName),
    ...toValues('user', entity.userPrincipalName),
    ...toValues('email', entity.mailboxAddress),
  ]);
}

/** A link and its host: an alert may name either. */
function listUrlValues(url: string | null | undefined): string[] {
  if (!url) return [];
  if (!URL.canParse(url)) return toValues('domain', url);
  const parsed = new URL(url);
  return [...toValues('url', parsed.href), ...toValues('domain', parsed.hostname)];
}

export function toValues(kind: EntityKind, value: string | null | undefined): string[] {
  return value ? searchValues({ kind, value }) : [];
}
