import { describe, expect, it } from 'vitest';
import { AlertListItem, alertTypeKey, Int64, InvestigationStatus, TRANSITIONS } from '../../../domain/alert/alert.js';
import { CreateAlert } from '../../../services/alerts/wire.js';

const { Created, Submitted, InProgress, Completed, Failed } = InvestigationStatus;

describe('the transition table', () => {
  it('contains every status change with its cause', () => {
    const ways = Object.entries(TRANSITIONS).flatMap(([cause, { from, to }]) => from.map((status) => `${cause}: ${status} → ${to}`));
    expect(ways.sort()).toEqual(
      [
        `dispatch: ${Created} → ${Submitted}`,
        `begin: ${Created} → ${InProgress}`,
        `begin: ${Submitted} → ${InProgress}`,
        `begin: ${InProgress} → ${InProgress}`,
        `conclude: ${InProgress} → ${Completed}`,
        `fail: ${InProgress} → ${Failed}`,
        `reinvestigate: ${Completed} → ${Submitted}`,
        `reinvestigate: ${Failed} → ${Submitted}`,
        `refuse: ${Created} → ${Failed}`,
        `refuse: ${Submitted} → ${Failed}`,
        `reconcile-requeue: ${Created} → ${Submitted}`,
        `reconcile-requeue: ${Submitted} → ${Submitted}`,
        `reconcile-requeue: ${InProgress} → ${Submitted}`,
        `reconcile-fail: ${Created} → ${Failed}`,
        `reconcile-fail: ${Submitted} → ${Failed}`,
        `reconcile-fail: ${InProgress} → ${Failed}`,
      ].sort(),
    );
  });

  it('changes an ended investigation only on request of an operator, and never back to Created', () => {
    for (const [cause, { from, to }] of Object.entries(TRANSITIONS)) {
      const leavesTheEnd = ([Completed, Failed] as readonly number[]).some((end) => (from as readonly number[]).includes(end));
      expect(leavesTheEnd, cause).toBe(cause === 'reinvestigate');
      expect(to, cause).not.toBe(Created);
    }
  });

  it('has the status numbers of the specification', () => {
    expect(InvestigationStatus).toEqual({ Created: 0, Submitted: 5, InProgress: 10, Completed: 15, Failed: 20 });
  });
});

describe('alertTypeKey', () => {
  it.each([
    ['Impossible travel', 'impossible travel'],
    ['  IMPOSSIBLE \t\n travel ', 'impossible travel'],
    ['Impossible\u00a0travel', 'impossible travel'],
    ['Ｍａｌｗａｒｅ', 'malware'],
    ['GRÖSSE', 'grösse'],
    ['Cafe\u0301', 'caf\u00e9'],
  ])('maps the spellings of one type to one key (%j)', (written, key) => {
    expect(alertTypeKey(written)).toBe(key);
  });

  it('distinguishes different types', () => {
    expect(new Set(['a b', 'ab', 'a-b', 'a_b', 'a b c'].map(alertTypeKey)).size).toBe(5);
  });

  it('fits an index, even when normalization lengthens it', () => {
    for (const written of ['ﷺ'.repeat(200), '\u{1F600}'.repeat(100), 'x'.repeat(200)]) {
      const key = alertTypeKey(written);
      expect(key.length).toBeLessThanOrEqual(500);
      expect(Buffer.byteLength(key)).toBeLessThan(2_700);
      expect(key.isWellFormed()).toBe(true);
    }
  });
});

describe('Int64', () => {
  it.each([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2n ** 63n - 1n, -(2n ** 63n)])('accepts %s', (value) => {
    expect(Int64.parse(value)).toBe(value);
  });

  it.each([2n ** 63n, -(2n ** 63n) - 1n, 2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null, true])('refuses %s', (value) => {
    expect(Int64.safeParse(value).success).toBe(false);
  });
});

describe('CreateAlert', () => {
  const alert = { alert_content: 'x', alert_provider: 'siem', organization_code: 'DEMO', alert_type: 'y' };

  it('accepts the four required fields and an optional or null time', () => {
    for (const given of [alert, { ...alert, created_at_source: null }, { ...alert, created_at_source: 1 }])
      expect(CreateAlert.safeParse(given).success).toBe(true);
  });

  it('refuses other fields', () => {
    expect(CreateAlert.safeParse({ ...alert, alert_id: 'DEMO-SIEM-1' }).success).toBe(false);
  });
});

it('AlertListItem includes the columns of the Alerts page', () => {
  expect(Object.keys(AlertListItem.shape)).toHaveLength(18);
  expect(Object.keys(AlertListItem.shape)).toEqual(expect.arrayContaining(['case_id', 'playbook', 'completed_at']));
});
