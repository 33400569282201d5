import { describe, expect, it } from 'vitest';
import { readAlertContent } from '../../../domain/alert/alert-content.js';

const headerOf = (content: string) => readAlertContent(content).header;
const severityOf = (content: string) => headerOf(content).severity;

describe('the severity that an alert states', () => {
  it.each([
    ['{"severity":"High"}', 'high'],
    ['{"properties":{"Severity":"Informational"}}', 'informational'],
    ['{"rule":{"level":12}}', 'high'],
    ['{"rule":{"level":5}}', 'low'],
    ['{"event":{"severity":73}}', 'high'],
    ['{"severity":5.5}', 'medium'],
    ['{"severity_id":5}', 'critical'],
    ['{"alert":{"severity":"2/10"}}', 'low'],
    ['CEF:0|V|P|1|100|Name|10|src=192.0.2.1', 'critical'],
    ['CEF:0|V|P|1|100|Name|Low|src=192.0.2.1', 'low'],
    ['LEEF:2.0|V|P|1|100|^|sev=7^src=192.0.2.1', 'high'],
    ['Severity: medium\nHost: web-01', 'medium'],
    ['Schweregrad: hoch', 'high'],
    ['重大度：高', 'high'],
    ['Серьезность: критический', 'critical'],
    ['| Field | Value |\n|---|---|\n| Severity | Low |\n| Host | web-01 |', 'low'],
    ['<10>Oct 11 22:14:15 web-01 app: disk failure', 'critical'],
    ['{"alerts":[{"severity":"Low"},{"severity":"High"}]}', 'low'],
  ])('of %j is %s', (content, severity) => {
    expect(severityOf(content)).toBe(severity);
  });

  it.each(['', 'A severe storm', '{"severity":"purple"}', '{"severity":null}', '{"severity_id":0}', '<134>Oct 11 22:14:15 web-01 app: ok'])(
    'is unknown for %j',
    (content) => {
      expect(severityOf(content)).toBeNull();
    },
  );
});

describe('the rule that an alert names', () => {
  it.each([
    ['{"rule":{"name":"Port scan","id":"7"},"title":"Other"}', 'Port scan'],
    ['{"title":"Other","RuleName":"Port scan"}', 'Port scan'],
    ['{"rule":{"level":3,"description":"sshd: failed"}}', 'sshd: failed'],
    ['{"search_name":"Threat - Beaconing"}', 'Threat - Beaconing'],
    ['{"alert":{"signature":"ET SCAN Nmap"}}', 'ET SCAN Nmap'],
    ['{"alertDisplayName":"Suspicious inbox rule"}', 'Suspicious inbox rule'],
    ['CEF:0|V|P|1|100|Malware\\|blocked|10|cat=Virus', 'Malware|blocked'],
    ['LEEF:1.0|V|P|1|100|cat=Virus\tsev=5', 'Virus'],
    ['Rule name: Port scan\nHost: web-01', 'Port scan'],
    [JSON.stringify({ title: `${'x'.repeat(300)}\nnext` }), `${'x'.repeat(199)}…`],
  ])('in %j is %s', (content, name) => {
    expect(headerOf(content).ruleName).toBe(name);
  });

  it.each(['', 'no rule here', '{"title":"12345"}', '{"rule":""}'])('is unknown for %j', (content) => {
    expect(headerOf(content).ruleName).toBeNull();
  });
});

describe('the techniques that an alert names', () => {
  it('are found anywhere, each once, in the order of the text', () => {
    const content = '{"mitreTechniques":["T1566.002","T1059"],"text":"uses T1059 (attack.T1021), not XT1059, T2000 or T1059-2"}';
    expect(headerOf(content).techniques).toEqual(['T1566.002', 'T1059']);
  });

  it('are at most twenty', () => {
    const content = Array.from({ length: 100 }, (_, index) => `T1${String(index).padStart(3, '0')}`).join(' ');
    expect(headerOf(content).techniques).toHaveLength(20);
  });
});
