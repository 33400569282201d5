import { expect, it } from 'vitest';
import { catalogue } from '../../../activities/connectors/catalogue.js';
import { implementations } from '../../../activities/connectors/implementations.js';
import { listSkills } from '../../../activities/skills/perform-skill.js';
import { POLLED_SOURCES, type PolledSource, readStreamEvent, splitWindow } from '../../../domain/connection/source.js';
import { readRecordedReplies } from '../../support/recorded-replies.js';

const [INCIDENTS, ENDPOINT, INTELLIGENCE] = ['incident-source', 'endpoint-detection', 'threat-intelligence'].map((kind) => {
  const source = POLLED_SOURCES[kind];
  if (!source) throw new Error(`${kind} is no source`);
  return source;
}) as [PolledSource, PolledSource, PolledSource];

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

it.each(Object.entries(POLLED_SOURCES))('%s asks in the words of its skill, and with the kind as provider', (kind, source) => {
  const skill = listSkills({ catalogue, implementations }).find(({ activityName }) => activityName === source.skill);
  expect(skill?.connector.kind).toBe(kind);
  expect(source.provider).toBe(kind);
  for (const until of [null, 1_772_360_000]) {
    const question = source.question({ since: 1_772_359_000, until }, 1_772_359_500);
    // A field that the skill does not know would silently be no bound at all.
    expect(skill?.contract.input.safeParse(question).data).toMatchObject(question);
  }
});

it('tells a third party that wants an end one that its clock cannot have reached', () => {
  const now = 1_772_359_500;
  expect(INTELLIGENCE.question({ since: now - 600, until: null }, now)).toEqual({ from: now - 600, to: now + 86_400 });
  expect(INTELLIGENCE.question({ since: now + 5000, until: null }, now)).toMatchObject({ to: now + 5000 + 86_400 });
});

it('makes an alert of an incident, of the type of its gravest alert', () => {
  const item = INCIDENTS.read(incident);
  expect(item).toMatchObject({
    sourceId: '2041',
    revision: '2026-03-01T10:05:00.29Z',
    at: Date.parse('2026-03-01T10:05:00Z') / 1000,
    alert: { type: 'Incident: Command and control', createdAtSource: Date.parse('2026-03-01T10:00:00Z') / 1000 },
  });
  expect(JSON.parse(item.alert?.content ?? '')).toEqual(incident);
  expect(item.note).toBe('The incident 2041 changed at its source: status Active, severity High, alerts 3.');
  expect(INCIDENTS.read({ incidentId: 1 }).alert?.type).toBe('Incident: Uncategorized');
});

it('makes no alert of an incident that went into another one, but tells of it', () => {
  const redirected = { ...incident, status: 'Redirected', redirectIncidentId: 2040, alerts: [] };
  expect(INCIDENTS.read(redirected)).toMatchObject({ alert: null, note: 'The incident 2041 went into another one, 2040.' });
});

it('reads what is too much in parts that leave nothing out, until they are a second', () => {
  const item = (at: number) => ({ ...ENDPOINT.read({ id: 'x' }), at });
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
  expect(INCIDENTS.read({ ...incident, lastUpdateTime: '2026-03-01T10:05:00' }).at).toBe(Date.parse('2026-03-01T10:05:00Z') / 1000);
  expect(INCIDENTS.read({ ...incident, lastUpdateTime: 'soon' }).at).toBeNull();
});

it('makes an alert of an alert of the endpoint platform', () => {
  const alert = { id: 'da1_2', category: 'SuspiciousActivity', severity: 'Low', status: 'New', lastUpdateTime: '2026-03-01T10:05:00Z' };
  expect(ENDPOINT.read(alert)).toMatchObject({
    sourceId: 'da1_2',
    revision: '2026-03-01T10:05:00Z',
    alert: { type: 'Endpoint alert: Suspicious activity', createdAtSource: null },
    note: 'The alert da1_2 changed at its source: status New, severity Low.',
  });
});

it('makes an alert of an alert of the intelligence platform, whose revision is what people did to it', () => {
  const alert = {
    id: 'dq7',
    rule: { name: 'Credential Leak of Employees' },
    review: { status_in_portal: 'New', assignee: null },
    log: { triggered: '2026-03-01T10:05:00.000Z', status_date: null },
  };
  const item = INTELLIGENCE.read(alert);
  expect(item).toMatchObject({ sourceId: 'dq7', alert: { type: 'Intelligence alert: Credential Leak of Employees' } });
  const dismissed = INTELLIGENCE.read({ ...alert, review: { ...alert.review, status_in_portal: 'Dismissed' } });
  expect(dismissed.revision).not.toBe(item.revision);
  expect(dismissed.note).toBe('The alert dq7 changed at its source: status Dismissed.');
});

it('bounds type and content', () => {
  const item = ENDPOINT.read({ id: 'x', category: 'very long '.repeat(100), description: 'é'.repeat(2_000_000) });
  expect(item.alert?.type).toHaveLength(200);
  expect(Buffer.byteLength(item.alert?.content ?? '')).toBeLessThanOrEqual(1024 * 1024);
});

it('joins what was detected with what was quarantined', () => {
  const detected = {
    id: '6180352115244794000',
    timestamp: 1_772_359_000,
    event_type: 'Threat Detected',
    detection: 'W32',
    detection_id: '618',
  };
  const quarantined = { ...detected, id: '6180352115244794001', event_type: 'Threat Quarantined', computer: { hostname: 'hr-ws-014' } };
  const [one, other] = [detected, quarantined].map((event) => readStreamEvent(event).itemOf(event.id));
  expect(one).toMatchObject({
    sourceId: 'detection 618',
    at: 1_772_359_000,
    alert: { type: 'Malware event: Detection', createdAtSource: 1_772_359_000 },
  });
  expect(other).toMatchObject({ sourceId: 'detection 618', note: 'Threat Quarantined of the same detection on hr-ws-014.' });
  expect(one?.revision).not.toBe(other?.revision);
});

it('leaves the everyday of a computer alone, and reads whatever comes', () => {
  expect(readStreamEvent({ id: '1', event_type: 'Scan Started', severity: 'Low' }).itemOf('1')).toBeNull();
  expect(readStreamEvent({ event_type: 'Threat Hunting', severity: 'Critical' }).itemOf('sha256 x')).toMatchObject({
    sourceId: 'event sha256 x',
  });
  expect(readStreamEvent({ cloud_ioc: {}, event_type: 'Cloud IOC' }).itemOf('2')?.alert?.type).toBe('Malware event: Cloud IOC');
  for (const odd of [null, 7, 'text', [], { id: {}, timestamp: 'never', computer: 3 }, { timestamp: 1e300 }]) {
    expect(readStreamEvent(odd)).toMatchObject({ id: null, at: null });
    expect(readStreamEvent(odd).itemOf('3')).toBeNull();
  }
});

it.skipIf(readRecordedReplies('incident-source').names.length === 0)(
  'reads every incident, alert and event that was seen at the third parties',
  () => {
    const lists = (kind: string, pattern: RegExp, key: string) =>
      readRecordedReplies(kind)
        .names.filter((file) => pattern.test(file))
        .flatMap((file): unknown[] => JSON.parse(readRecordedReplies(kind).text(file))[key] ?? []);
    const incidents = lists('incident-source', /^list-incidents.*\.json$/, 'value').map((item) => INCIDENTS.read(item));
    const alerts = lists('endpoint-detection', /^list-alerts.*\.json$/, 'value').map((item) => ENDPOINT.read(item));
    const events = lists('malware-protection', /^list-events.*\.json$/, 'data').map((event) => readStreamEvent(event));
    for (const item of [...incidents, ...alerts]) expect(item.at).toBeGreaterThan(1_500_000_000);
    for (const event of events) expect(event.at).toBeGreaterThan(1_400_000_000);
    expect(incidents.length * alerts.length * events.length).toBeGreaterThan(0);
  },
);
