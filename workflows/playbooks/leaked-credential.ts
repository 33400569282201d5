import { keyOfTake, type Take } from '../../domain/playbook/read-answer.js';
import { limitItems, listValues } from '../lib/playbook-helpers.js';
import { askStandardQuestions } from '../lib/standard-questions.js';
import { playbook } from '../playbook.js';

/** The compromised computer in an identity exposure alert. */
const COMPUTER = 'panels.panel_evidence_summary.compromised_host.computer_name';
const MALWARE = 'panels.panel_evidence_summary.malware_family.name';

const ANY: Take = { path: 'items[].id' };

/** Of the alerts that no person handled. */
const ofOpen = (path: string): Take[] =>
  ['New', 'InProgress'].map((status) => ({
    inOne: 'items[]',
    when: [
      { path: 'status', is: 'equals', value: status },
      { path: COMPUTER, is: 'present' },
    ],
    path,
  }));

/** Checks leaked credentials and look-alike domains of the organization. */
export const leakedCredential = playbook(
  {
    title: 'Leaked credentials',
    alertTypes: [
      'Leaked credential',
      'Leaked credentials',
      'Credential leak',
      'Credential leakage',
      'Credential exposure',
      'Compromised credentials',
      'Exposed credentials',
      'Stolen credentials',
      'Identity exposure',
      'Novel identity exposure',
      'Brand alert',
      'Brand abuse',
      'Brand impersonation',
      'Domain abuse',
      'Look-alike domain',
      'Lookalike domain',
      'Typosquatting',
    ],
    categories: ['leaked-credential'],
    severity: 'high',
  },
  async (context) => {
    const { entities, skills, evidence, followUp, readAnswer } = context;
    await askStandardQuestions(context, 'leaked-credential');
    const emails = limitItems(evidence, 'person', listValues(entities, 'email'));
    if (emails.length === 0) return;
    const known = await skills.threatIntelligence.getPlaybookAlerts({ entities: emails.map((email) => `email:${email}`), max_items: 20 });
    if (known === null) return;
    const [computers, families] = [ofOpen(COMPUTER), ofOpen(MALWARE)];
    const { taken } = await readAnswer(known, { takes: [ANY, ...computers, ...families] });
    const first = (takes: readonly Take[]) => takes.flatMap((take) => taken[keyOfTake(take)] ?? [])[0];
    const computer = first(computers);
    if (computer !== undefined)
      evidence.finding(45, 'Stolen by malware', `${first(families) ?? 'Malware'} stole it on ${computer}.`, {
        from: known,
        otherFact: true,
        techniques: ['T1555'],
      });
    if (first([ANY]) === undefined && known.cut === null)
      await followUp({ afterHours: 72, reason: 'the threat intelligence platform may know the leak by then.' });
  },
);
