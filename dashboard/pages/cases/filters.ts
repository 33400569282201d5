import type { CaseStatus } from '../../../domain/case/case.js';
import { CASE_SORTS, type CaseSort, NEWEST_CASES } from '../../../domain/case/case-sort.js';
import { SlaFilter } from '../../../domain/sla/clock.js';
import type { Severity, Verdict } from '../../../domain/verdict/evidence.js';
import { pickOption, toNumber } from '../../api.js';

export const CASE_STATUSES: readonly CaseStatus[] = ['open', 'in_progress', 'closed'];
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'informational'];
export const VERDICTS: readonly Verdict[] = ['malicious', 'suspicious', 'inconclusive', 'benign'];

export type CaseSearch = Readonly<Record<string, string | undefined>>;

/** The filters of the address as parameters of the API. */
export function readCaseFilters({ text, assignee, organization, tag, ...search }: CaseSearch) {
  const isOn = (name: string) => (search[name] === 'true' ? (true as const) : undefined);
  return {
    text,
    status: pickOption(CASE_STATUSES, search['status']),
    severity: pickOption(SEVERITIES, search['severity']),
    verdict: pickOption(VERDICTS, search['verdict']),
    assignee,
    unassigned: isOn('unassigned'),
    organization_code: organization,
    tag,
    sla: pickOption(SlaFilter.options, search['sla']),
    opened_from: toNumber(search['from']),
    opened_before: toNumber(search['to']),
    since_last_visit: isOn('visit'),
    disagrees: isOn('disagrees'),
  };
}

export function readCaseSort(search: CaseSearch): CaseSort {
  return pickOption(CASE_SORTS, search['sort']) ?? NEWEST_CASES;
}
