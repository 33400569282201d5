import { describe, expect, it } from 'vitest';
import { choosePlaybookByRule, choosePlaybookByType, isUnknownType } from '../../../domain/playbook/choose-playbook.js';
import { declaredPlaybooks } from '../../../worker/worker.js';

const WRITTEN = declaredPlaybooks().map(({ name, alertTypes, categories = [] }) => ({ name, alertTypes, categories }));
const chosenFor = (alertType: string) => choosePlaybookByType(alertType, WRITTEN)?.playbook.name ?? null;

describe('an alert type that no written playbook declares', () => {
  it.each([
    ['MALWARE - DETECTED!', 'malwareOnHost'],
    ['Detected malware', 'malwareOnHost'],
    ['Hosts: malwares', 'malwareOnHost'],
    ['[Sample SIEM] Threat detected', 'malwareOnHost'],
    ['Some Vendor: Impossible Travel', 'impossibleTravel'],
    ['Some Vendor - Travel, atypical', 'impossibleTravel'],
    ['Leaked credentials', 'leakedCredential'],
    ['Security incidents', 'detectedIncident'],
    ['(EU) Vulnerable assets', 'vulnerableHost'],
  ])('is an alias: %s → %s', (alertType, name) => {
    expect(choosePlaybookByType(alertType, WRITTEN)).toMatchObject({
      playbook: { name },
      reason: expect.stringMatching(/^The alert type means the same as "/),
    });
  });

  it.each([
    ['Malware detected on host', 'malwareOnHost'],
    ['Ransomware outbreak on file server', 'malwareOnHost'],
    ['Schadsoftware gefunden', 'malwareOnHost'],
    ['マルウェア検出', 'malwareOnHost'],
    ['Phishing email', 'reportedPhishing'],
    ['Suspected phishing reported by employee', 'reportedPhishing'],
    ['Фишинговое письмо', 'reportedPhishing'],
    ['Vulnerability scan result: unpatched server', 'vulnerableHost'],
    ['Account password exposed on dark web', 'leakedCredential'],
  ])('belongs to a category: %s → %s', (alertType, name) => {
    expect(choosePlaybookByType(alertType, WRITTEN)).toMatchObject({
      playbook: { name },
      reason: expect.stringMatching(/^The alert type belongs to the category /),
    });
  });

  it.each([
    'Security alert',
    'ARP spoofing',
    'Quarantined mail',
    'Credential dumping',
    'Credential stuffing',
    'Phishing mail with malware',
    'Malware callback to a command and control server',
    'Exploitation attempt of a vulnerability',
    'Password spray',
    'Travel policy violation',
    'Host detected',
    'Wormhole router down',
    '',
    '::',
  ])('only looks similar: %s', (alertType) => {
    expect(chosenFor(alertType)).toBeNull();
  });

  it('fits no playbook where two written playbooks fit', () => {
    const two = [
      { alertTypes: ['One thing'], categories: ['malware'] },
      { alertTypes: ['Things: one'], categories: ['malware'] },
    ] as const;
    expect(choosePlaybookByType('Malware detected on host', two)).toBeNull();
    expect(choosePlaybookByType('[x] one things', two)).toBeNull();
  });
});

describe('an alert type that says nothing', () => {
  it('leaves the choice to the rule that the content names', () => {
    expect(['Security alert', 'SIEM rule', 'Malware found here', 'Sign-in', 'Фишинг'].map(isUnknownType)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(choosePlaybookByRule('Trojan found by antivirus', WRITTEN)).toMatchObject({
      playbook: { name: 'malwareOnHost' },
      reason: 'The rule that the alert names belongs to the category malware.',
    });
    expect(choosePlaybookByRule('Impossible travel', WRITTEN)).toBeNull();
  });
});
