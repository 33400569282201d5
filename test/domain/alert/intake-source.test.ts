import { expect, it } from 'vitest';
import { endpointAlertIntake } from '../../../connectors/endpoint-detection/intake.js';
import { incidentIntake } from '../../../connectors/incident-source/intake.js';
import { malwareEventIntake } from '../../../connectors/malware-protection/intake.js';
import { intelligenceAlertIntake } from '../../../connectors/threat-intelligence/intake.js';
import { investigationIntake } from '../../../connectors/vulnerability-investigation/intake.js';
import { splitWindow } from '../../../domain/alert/intake-source.js';
import { readRecordedReplies } from '../../support/recorded-replies.js';

const incident = {
  incidentId: 2041,
  incidentName: 'Multi-stage incident',
  createdTime: '2026-03-01T10:00:00.1234567Z',
  lastUpdateTime: '2026-03-01T10:05:00.29Z',
  status: 'Active',
  severity: 'High',
  alerts: [
    { alertId: 'a', category: 'InitialAccess', severity: 'Low' },
    { alertId: 'b', category: 'CommandAndControl', severity: 'High' },
    { alertId: 'c', category: 'Malware', severity: 'Medium' },
  ],
};

it('ends the window of the intelligence platform in the future, because its clock may be ahead', () => {
  const now = 1_772_359_500;
  expect(intelligenceAlertIntake.buildInput({ since: now - 600, until: null }, now)).toEqual({ from: now - 600, to: now + 86_400 });
  expect(intelligenceAlertIntake.buildInput({ since: now + 5000, until: null }, now)).toMatchObject({ to: now + 5000 + 86_400 });
});

it('converts an investigation of the vulnerability platform to an alert, and asks for a window with exclusive bounds', () => {
  const investigation = {
    rrn: 'rrn:investigation:eu:1',
    title: 'Lateral movement',
    source: 'ALERT',
    status: 'OPEN',
    priority: 'HIGH',
    created_time: '2026-03-01T10:00:00.000Z',
    latest_alert_time: '2026-03-01T10:01:00.000Z',
  };
  const createdAt = Date.parse('2026-03-01T10:00:00Z') / 1000;
  const item = investigationIntake.read(investigation);
  expect(item).toMatchObject({
    sourceId: investigation.rrn,
    at: createdAt,
    alert: { type: 'Investigation: Alert', createdAtSource: createdAt },
    note: `Investigation ${investigation.rrn} changed at its source: status OPEN, priority HIGH.`,
  });
  expect(investigationIntake.read({ ...investigation, status: 'CLOSED' }).revision).not.toBe(item.revision);
  expect(investigationIntake.buildInput({ since: createdAt, until: createdAt + 60 })).toEqual({
    start_time: '2026-03-01T09:59:59.000Z',
    end_time: '2026-03-01T10:01:01.000Z',
    sort: 'created_time,ASC',
  });
});

it('converts an incident to an alert with the category of its most severe alert', () => {
  const item = incidentIntake.read(incident);
  expect(item).toMatchObject({
    sourceId: '2041',
    revision: '2026-03-01T10:05:00.29Z',
    at: Date.parse('2026-03-01T10:05:00Z') / 1000,
    alert: { type: 'Incident: Command and control', createdAtSource: Date.parse('2026-03-01T10:00:00Z') / 1000 },
  });
  expect(JSON.parse(item.alert?.content ?? '')).toEqual(incident);
  expect(item.note).toBe('Incident 2041 changed at its source: status Active, severity High, alerts 3.');
  expect(incidentIntake.read({ incidentId: 1 }).alert?.type).toBe('Incident: Uncategorized');
});

it('creates only a note for a merged incident', () => {
  const redirected = { ...incident, status: 'Redirected', redirectIncidentId: 2040, alerts: [] };
  expect(incidentIntake.read(redirected)).toMatchObject({ alert: null, note: 'Incident 2041 was merged into incident 2040.' });
});

it('splits a window into parts without gaps, down to one second', () => {
  const item = (at: number) => ({ ...endpointAlertIntake.read({ id: 'x' }), at });
  expect(splitWindow({ since: 1000, until: 1800 }, [])).toEqual(
    [1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700].map((since) => ({ since, until: since + 100 })),
  );
  const open = splitWindow({ since: 1000, until: null }, [item(1003), item(1001)]);
  expect(open).toEqual([
    { since: 1000, until: 1001 },
    { since: 1001, until: 1002 },
    { since: 1002, until: null },
  ]);
  expect(splitWindow({ since: 1000, until: 1001 }, [])).toEqual([]);
  expect(splitWindow({ since: 1000, until: null }, [item(990)])).toEqual([]);
});

it('reads times without a zone as UTC', () => {
  expect(incidentIntake.read({ ...incident, lastUpdateTime: '2026-03-01T10:05:00' }).at).toBe(Date.parse('2026-03-01T10:05:00Z') / 1000);
  expect(incidentIntake.read({ ...incident, lastUpdateTime: 'soon' }).at).toBeNull();
});

it('converts an endpoint alert to an alert', () => {
  const alert = { id: 'da1_2', category: 'SuspiciousActivity', severity: 'Low', status: 'New', lastUpdateTime: '2026-03-01T10:05:00Z' };
  expect(endpointAlertIntake.read(alert)).toMatchObject({
    sourceId: 'da1_2',
    revision: '2026-03-01T10:05:00Z',
    alert: { type: 'Endpoint alert: Suspicious activity', createdAtSource: null },
    note: 'Alert da1_2 changed at its source: status New, severity Low.',
  });
});

it('converts an intelligence alert to an alert whose revision follows its review', () => {
  const alert = {
    id: 'dq7',
    rule: { name: 'Credential Leak of Employees' },
    review: { status_in_portal: 'New', assignee: null },
    log: { triggered: '2026-03-01T10:05:00.000Z', status_date: null },
  };
  const item = intelligenceAlertIntake.read(alert);
  expect(item).toMatchObject({ sourceId: 'dq7', alert: { type: 'Intelligence alert: Credential Leak of Employees' } });
  const dismissed = intelligenceAlertIntake.read({ ...alert, review: { ...alert.review, status_in_portal: 'Dismissed' } });
  expect(dismissed.revision).not.toBe(item.revision);
  expect(dismissed.note).toBe('Alert dq7 changed at its source: status Dismissed.');
});

it('limits the length of type and content', () => {
  const item = endpointAlertIntake.read({ id: 'x', category: 'very long '.repeat(100), description: 'é'.repeat(2_000_000) });
  expect(item.alert?.type).toHaveLength(200);
  expect(Buffer.byteLength(item.alert?.content ?? '')).toBeLessThanOrEqual(1024 * 1024);
});

it('treats detection and quarantine of one file as one item', () => {
  const detected = {
    id: '6180352115244794000',
    timestamp: 1_772_359_000,
    event_type: 'Threat Detected',
    detection: 'W32',
    detection_id: '618',
  };
  const quarantined = { ...detected, id: '6180352115244794001', event_type: 'Threat Quarantined', computer: { hostname: 'hr-ws-014' } };
  const [one, other] = [detected, quarantined].map((event) => malwareEventIntake.read(event).toItem(event.id));
  expect(one).toMatchObject({
    sourceId: 'detection 618',
    at: 1_772_359_000,
    alert: { type: 'Malware event: Detection', createdAtSource: 1_772_359_000 },
  });
  expect(other).toMatchObject({ sourceId: 'detection 618', note: 'Threat Quarantined for the same detection on hr-ws-014.' });
  expect(one?.revision).not.toBe(other?.revision);
});

it('ignores routine events and tolerates malformed ones', () => {
  expect(malwareEventIntake.read({ id: '1', event_type: 'Scan Started', severity: 'Low' }).toItem('1')).toBeNull();
  expect(malwareEventIntake.read({ event_type: 'Threat Hunting', severity: 'Critical' }).toItem('sha256 x')).toMatchObject({
    sourceId: 'event sha256 x',
  });
  expect(malwareEventIntake.read({ cloud_ioc: {}, event_type: 'Cloud IOC' }).toItem('2')?.alert?.type).toBe('Malware event: Cloud IOC');
  for (const odd of [null, 7, 'text', [], { id: {}, timestamp: 'never', computer: 3 }, { timestamp: 1e300 }]) {
    expect(malwareEventIntake.read(odd)).toMatchObject({ id: null, at: null });
    expect(malwareEventIntake.read(odd).toItem('3')).toBeNull();
  }
});

it.skipIf(readRecordedReplies('incident-source').names.length === 0)('reads every recorded incident, alert and event', () => {
  const lists = (kind: string, pattern: RegExp, key: string) =>
    readRecordedReplies(kind)
      .names.filter((file) => pattern.test(file))
      .flatMap((file): unknown[] => JSON.parse(readRecordedReplies(kind).text(file))[key] ?? []);
  const incidents = lists('incident-source', /^list-incidents.*\.json$/, 'value').map((item) => incidentIntake.read(item));
  const alerts = lists('endpoint-detection', /^list-alerts.*\.json$/, 'value').map((item) => endpointAlertIntake.read(item));
  const events = lists('malware-protection', /^list-events.*\.json$/, 'data').map((event) => malwareEventIntake.read(event));
  for (const item of [...incidents, ...alerts]) expect(item.at).toBeGreaterThan(1_500_000_000);
  for (const event of events) expect(event.at).toBeGreaterThan(1_400_000_000);
  expect(incidents.length * alerts.length * events.length).toBeGreaterThan(0);
});
