import { Badge, type MantineSize } from '@mantine/core';
import type { InvestigationStatus } from '../../domain/alert/alert.js';
import type { CaseStatus } from '../../domain/case/case.js';
import type { ConnectionState } from '../../domain/connection/connection.js';
import type { Severity, Verdict } from '../../domain/verdict/evidence.js';
import { CASE_STATUS_LABELS, STATUS_LABELS } from '../options.js';

const STATUS_COLORS: Readonly<Record<InvestigationStatus, string>> = { 0: 'gray', 5: 'cyan', 10: 'blue', 15: 'teal', 20: 'red' };

/** Badges in the cells of a dense table have less space at their sides. */
function sized(size: MantineSize | undefined) {
  return size === undefined ? {} : { size, px: 6 };
}

export function StatusBadge({ status, size }: { status: InvestigationStatus; size?: MantineSize }) {
  return (
    <Badge variant="light" color={STATUS_COLORS[status]} tt="none" {...sized(size)}>
      {STATUS_LABELS[status]}
    </Badge>
  );
}

/** Shades with enough contrast for the label in both color schemes. */
const VERDICT_COLORS: Readonly<Record<Verdict, string>> = {
  malicious: 'red.9',
  suspicious: 'orange.5',
  inconclusive: 'gray.7',
  benign: 'teal.9',
};

export function VerdictBadge({ verdict, size }: { verdict: Verdict | null; size?: MantineSize }) {
  if (verdict === null) return null;
  return (
    <Badge variant="filled" color={VERDICT_COLORS[verdict]} tt="capitalize" {...sized(size)}>
      {verdict}
    </Badge>
  );
}

const SEVERITY_COLORS: Readonly<Record<Severity, string>> = {
  critical: 'red',
  high: 'orange',
  medium: 'yellow',
  low: 'blue',
  informational: 'gray',
};

export function SeverityBadge({ severity, size }: { severity: Severity | null; size?: MantineSize }) {
  if (severity === null) return null;
  return (
    <Badge variant="dot" color={SEVERITY_COLORS[severity]} tt="capitalize" {...sized(size)}>
      {size !== undefined && severity === 'informational' ? 'info' : severity}
    </Badge>
  );
}

/** For narrow cells. The label is for people who cannot tell the colors apart. */
export function SeverityDot({ severity }: { severity: Severity }) {
  const label = `Severity: ${severity}`;
  const background = `var(--mantine-color-${SEVERITY_COLORS[severity]}-filled)`;
  return <span className="severity-dot" style={{ background }} role="img" aria-label={label} title={label} />;
}

export function CaseStatusBadge({ status, size }: { status: CaseStatus; size?: MantineSize }) {
  return (
    <Badge variant="outline" color={status === 'closed' ? 'gray' : 'blue'} tt="none" {...sized(size)}>
      {CASE_STATUS_LABELS[status]}
    </Badge>
  );
}

const CONNECTION_COLORS: Readonly<Record<ConnectionState, string>> = { untested: 'gray', working: 'teal', broken: 'red' };

export function ConnectionStateBadge({ state, count }: { state: ConnectionState; count?: number }) {
  return (
    <Badge variant="dot" color={CONNECTION_COLORS[state]} tt="capitalize">
      {count === undefined ? state : `${count} ${state}`}
    </Badge>
  );
}
