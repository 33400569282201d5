import { describe, expect, it } from 'vitest';
import { readAlertContent } from '../../../domain/alert/alert-content.js';
import { findTactic, findTacticByWords, readTactics } from '../../../domain/alert/tactics.js';
import { nameOfType, readShared, sharedPlaybookFor, sharedPlaybookForContent } from '../../../domain/playbook/shared-playbook.js';

const nameFor = (content: unknown) =>
  sharedPlaybookForContent(readAlertContent(typeof content === 'string' ? content : JSON.stringify(content)).header).name;

describe('the category of an alert whose type says nothing', () => {
  it.each([
    [
      'a field of the Elastic common schema',
      { threat: [{ tactic: { id: 'TA0006', name: 'Credential Access' } }] },
      'Credential access alerts',
    ],
    ['a field of Wazuh', { rule: { mitre: { tactic: ['Defense Evasion', 'Lateral Movement'] } } }, 'Lateral movement alerts'],
    ['a list in one text', { Tactics: 'Execution,Impact' }, 'Impact alerts'],
    ['the category of an endpoint alert', { category: 'DefenseEvasion', title: 'Alert 7' }, 'Defense evasion alerts'],
    ['a label in a text', 'Rule 9 fired. Tactic: Persistence. Host: lab-01', 'Persistence alerts'],
    ['the name of the rule', { rule_name: 'LSASS memory dump' }, 'Credential access alerts'],
    ['a technique', { rule: { name: 'Rule 7' }, mitre: ['T1021.002'] }, 'Lateral movement alerts'],
    ['a tactic that has a plan of its own', { tactic: 'Command and Control' }, 'Command and control alerts'],
    ['nothing', { rule: { name: 'Rule 7' }, tactic: 'Politics' }, 'Other alerts'],
    ['a tactic outside of the fields', 'The impact of this update is low.', 'Other alerts'],
  ])('is found in %s', (_, content, name) => {
    expect(nameFor(content)).toBe(name);
  });

  it('is never more than one tactic, so that a sender cannot make many plans', () => {
    const stated = readAlertContent(JSON.stringify({ tactics: ['Discovery', 'Collection', 'Impact', 'Execution'] })).header;
    expect(findTactic(stated)).toBe('impact');
  });

  // With a search that takes exponential time, this test never ends.
  it('reads long values of a hostile sender', () => {
    expect(readTactics('a,'.repeat(500_000))).toEqual([]);
    expect(findTacticByWords(`disabled ${'of the '.repeat(30)}`)).toBeNull();
  });
});

describe('the plan for an alert type', () => {
  it.each([
    ['Malware in the cloud', 'malware+cloud', 'Malware and cloud alerts', 'high'],
    ['Possible lateral movement', 'tactic-lateral-movement', 'Lateral movement alerts', 'high'],
    ['Obfuscated script', 'tactic-defense-evasion', 'Defense evasion alerts', 'medium'],
    ['Alert', 'any', 'Other alerts', null],
  ])('%s is that of its category, which is read back from the database', (alertType, sharedFor, name, severity) => {
    const shared = sharedPlaybookFor(alertType);
    expect(shared).toMatchObject({ sharedFor, name, severity });
    expect(readShared(sharedFor)).toEqual(shared);
  });

  it('has a name of one line, whatever the sender wrote', () => {
    expect(nameOfType(' Odd\u0000\u202e\n  thing\u200b ')).toBe('Odd thing');
    expect(nameOfType('\u2060')).toBe('Alert type without a visible name');
    expect(nameOfType('t'.repeat(200))).toHaveLength(200);
  });
});
