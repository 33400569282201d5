import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CaseCounts } from '../../../services/cases/wire.js';
import { ChoiceFilter, OrganizationFilter, TimeFilter } from '../../components/filters.js';
import { SearchField } from '../../components/search-field.js';
import { formatAge } from '../../components/time.js';
import { CASE_STATUS_LABELS, capitalize, SEVERITIES, SLA_LABELS, toChoices, VERDICTS } from '../../options.js';
import { caseCountsQuery, caseVisitQuery } from '../../queries/cases.js';
import { useSession } from '../../session.js';
import { type CaseSearch, toCaseFilters } from './filters.js';

/** The choices with the number of cases that each would list. */
function withCounts<Value extends string>(
  choices: readonly { value: Value; label: string }[],
  counts: CaseCounts['status'] | undefined,
  isComplete: boolean,
) {
  return choices.map(({ value, label }) => {
    const count = counts?.find((each) => each.value === value)?.count ?? 0;
    return { value, label: counts === undefined ? label : `${label} (${count.toLocaleString()}${isComplete || count === 0 ? '' : '+'})` };
  });
}

const STATUSES = toChoices(CASE_STATUS_LABELS);
const SLAS = toChoices(SLA_LABELS);
const toCapitalized = <Value extends string>(value: Value) => ({ value, label: capitalize(value) });

export function CaseFilterBar(props: { search: CaseSearch; onChange: (changed: CaseSearch) => unknown; onClear: () => unknown }) {
  const { search, onChange, onClear } = props;
  const filters = toCaseFilters(search);
  const { name } = useSession();
  const lastVisit = useQuery(caseVisitQuery).data?.last_visit_at ?? null;
  const { data: counts } = useQuery(caseCountsQuery(filters));
  const isComplete = counts?.is_complete ?? true;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Group gap="xs" role="search">
      <SearchField
        aria-label="Search cases"
        placeholder="Host, user, hash, case ID…"
        value={search.text}
        onSearch={(text) => onChange({ text })}
        w={{ base: '100%', xs: 240 }}
      />
      <ChoiceFilter
        label="Status"
        placeholder="Any status"
        data={withCounts(STATUSES, counts?.status, isComplete)}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceFilter
        label="Severity"
        placeholder="Any severity"
        data={withCounts(SEVERITIES.map(toCapitalized), counts?.severity, isComplete)}
        value={search.severity}
        onChange={(severity) => onChange({ severity })}
      />
      <ChoiceFilter
        label="Verdict"
        placeholder="Any verdict"
        data={withCounts(VERDICTS.map(toCapitalized), counts?.verdict, isComplete)}
        value={search.verdict}
        onChange={(verdict) => onChange({ verdict })}
      />
      <ChoiceFilter label="SLA" placeholder="Any SLA" width={130} data={SLAS} value={search.sla} onChange={(sla) => onChange({ sla })} />
      <OrganizationFilter value={search.organization} onChange={(organization) => onChange({ organization })} />
      <SearchField
        aria-label="Assignee"
        placeholder="Assignee"
        value={search.assignee}
        onSearch={(assignee) => onChange({ assignee, unassigned: undefined })}
        w={120}
      />
      <SearchField aria-label="Tag" placeholder="Tag" value={search.tag} onSearch={(tag) => onChange({ tag })} w={110} />
      <TimeFilter label="Opened from" value={search.from} onChange={(from) => onChange({ from })} />
      <TimeFilter label="Opened before" value={search.to} onChange={(to) => onChange({ to })} />
      <Group gap={6}>
        <Toggle
          label={lastVisit === null ? 'Since my last visit' : `Since my last visit (${formatAge(Date.now() / 1000 - lastVisit)} ago)`}
          title="Cases that changed since you last used this list, before a pause of at least 30 minutes"
          isOn={filters.since_last_visit === true}
          onToggle={(visit) => onChange({ visit })}
        />
        <Toggle label="Analyst disagrees" isOn={filters.disagrees === true} onToggle={(disagrees) => onChange({ disagrees })} />
        <Toggle
          label="Assigned to me"
          isOn={filters.assignee === name}
          onToggle={(isOn) => onChange({ assignee: isOn && name, unassigned: undefined })}
        />
        <Toggle
          label="Unassigned"
          isOn={filters.unassigned === true}
          onToggle={(unassigned) => onChange({ assignee: undefined, unassigned })}
        />
        {isFiltered && (
          <Button variant="subtle" size="xs" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </Group>
    </Group>
  );
}

function Toggle(props: { label: string; title?: string; isOn: boolean; onToggle: (value: true | undefined) => unknown }) {
  const { label, title, isOn, onToggle } = props;
  return (
    <Button
      size="xs"
      variant={isOn ? 'filled' : 'default'}
      aria-pressed={isOn}
      title={title}
      onClick={() => onToggle(isOn ? undefined : true)}
    >
      {label}
    </Button>
  );
}
