import { z } from 'zod';
import { limitItems, listValues } from '../lib/playbook-helpers.js';
import { askStandardQuestions } from '../lib/standard-questions.js';
import { playbook } from '../playbook.js';

/** The compromised computer in an identity exposure alert. */
const Panels = z.object({
  panel_evidence_summary: z.object({
    compromised_host: z.object({ computer_name: z.string() }),
    malware_family: z.object({ name: z.string() }).nullish().catch(null),
  }),
});

const HANDLED = /^(?:dismissed|resolved)$/i;

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
    const { entities, skills, evidence, followUp } = context;
    await askStandardQuestions(context, 'leaked-credential');
    const emails = limitItems(evidence, 'person', listValues(entities, 'email'));
    if (emails.length === 0) return;
    const known = await skills.threatIntelligence.getPlaybookAlerts({ entities: emails.map((email) => `email:${email}`), max_items: 20 });
    const open = (known?.items ?? []).filter(({ status }) => !HANDLED.test(status ?? ''));
    for (const panels of open.flatMap((each) => Panels.safeParse(each.panels).data ?? []).slice(0, 1)) {
      const { compromised_host: host, malware_family: family } = panels.panel_evidence_summary;
      evidence.finding(45, 'Stolen by malware', `${family?.name ?? 'Malware'} stole it on ${host.computer_name}.`, {
        from: known,
        techniques: ['T1555'],
      });
    }
    if (known !== null && known.items.length === 0)
      await followUp({ afterHours: 72, reason: 'the threat intelligence platform may know the leak by then.' });
  },
);
