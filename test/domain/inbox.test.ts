import { describe, expect, it } from 'vitest';
import type { Role } from '../../domain/identity/identity.js';
import { completePreferences, type InboxPreferences, isForInbox, SaveInboxPreferences } from '../../domain/notification/inbox.js';

const facts = { case_id: 'DEMO-CASE-1', severity: 'high', verdict: 'malicious', assignee: 'dana' };
const wants = (name: string, data: object, { role = 'analyst' as Role, as = 'dana', saved = null as InboxPreferences | null } = {}) =>
  isForInbox({ name: as, role, preferences: completePreferences(saved) }, { name, data: { ...facts, ...data } });

describe('by default, an inbox gets', () => {
  it.each<[string, string, object, boolean]>([
    ['cases assigned to the user', 'case.assigned', { assigned_by: 'ines' }, true],
    ['no cases that the user took', 'case.assigned', { assigned_by: 'dana' }, false],
    ['no cases of others', 'case.assigned', { assignee: 'ines', assigned_by: 'rui' }, false],
    ['comments on cases of the user', 'case.commented', { author: 'ines', mentions: [] }, true],
    ['no comments of the user', 'case.commented', { author: 'dana', mentions: ['dana'] }, false],
    ['comments that mention the user', 'case.commented', { assignee: null, author: 'ines', mentions: ['dana'] }, true],
    ['no other comments', 'case.commented', { assignee: 'rui', author: 'ines', mentions: ['ines'] }, false],
    ['all actions that need approval', 'proposal.waiting', { assignee: null }, true],
    ['runs that need a second person', 'run.waiting', { assignee: undefined, requested_by: 'ines' }, true],
    ['no runs that the user requested', 'run.waiting', { assignee: undefined, requested_by: 'dana' }, false],
    ['no verdicts', 'case.verdict_changed', {}, false],
    ['no tests of channels', 'notification.test', {}, false],
  ])('%s', (_, name, data, expected) => {
    expect(wants(name, data)).toBe(expected);
  });

  it('broken connections for admins', () => {
    expect(wants('connection.broken', {}, { role: 'admin' })).toBe(true);
    expect(wants('connection.broken', {}, { role: 'analyst' })).toBe(false);
  });
});

it('preferences select groups and severities, and a missing group keeps its default', () => {
  const save = (groups: object) => ({ saved: SaveInboxPreferences.parse({ groups }) });
  const { saved } = save({ cases: { wanted: 'all', min_severity: 'high' }, approvals: { wanted: 'mine' } });
  expect(wants('case.verdict_changed', { assignee: null }, { saved })).toBe(true);
  expect(wants('case.verdict_changed', { severity: 'medium' }, { saved })).toBe(false);
  expect(wants('case.opened', { severity: null }, { saved })).toBe(false);
  expect(wants('proposal.waiting', { assignee: 'ines' }, { saved })).toBe(false);
  const decided = { requested_by: 'dana', assignee: undefined };
  expect(wants('run.decided', decided, save({ actions: { wanted: 'mine' } }))).toBe(true);
  expect(wants('run.decided', { ...decided, requested_by: 'ines' }, save({ actions: { wanted: 'mine' } }))).toBe(false);
  expect(wants('case.assigned', {}, { saved })).toBe(true);
  expect(wants('case.assigned', {}, save({ assignments: { wanted: 'none' } }))).toBe(false);
});

it('preferences of another version count as the defaults', () => {
  const defaults = completePreferences(null);
  expect(defaults.groups.approvals).toEqual({ wanted: 'all', min_severity: null });
  expect(completePreferences({ groups: { weather: { wanted: 'all' } } })).toEqual(defaults);
  expect(completePreferences({ groups: {} })).toEqual(defaults);
});
