import { z } from 'zod';
import { enrich, findMachines, limitItems, listValues, machineName, toAccountName, weighReputation } from '../lib/playbook-helpers.js';
import { playbook } from '../playbook.js';

/** The compromised computer in an identity exposure alert. */
const Panels = z.object({
  panel_evidence_summary: z.object({
    compromised_host: z.object({ computer_name: z.string() }),
    malware_family: z.object({ name: z.string() }).nullish().catch(null),
  }),
});
const ENDED = /^(dismissed|resolved)$/i;

/** Checks leaked credentials and look-alike domains of the organization. */
export const leakedCredential = playbook(
  {
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
    severity: 'high',
  },
  async (context) => {
    const { entities, skills, evidence, followUp } = context;
    const users = listValues(entities, 'user');
    const emails = limitItems(evidence, 'person', [...listValues(entities, 'email'), ...users.filter((user) => user.includes('@'))]);
    // The domain of a person's email address is the employer, not the subject of the alert.
    const employerDomains = new Set(emails.map((email) => email.split('@')[1]));
    const domains = limitItems(
      evidence,
      'domain',
      listValues(entities, 'domain').filter((domain) => !employerDomains.has(domain)),
    );
    const asked = [...emails.map((email) => `email:${email}`), ...domains.map((domain) => `idn:${domain}`)];
    if (asked.length === 0) evidence.gap('No person or domain', 'The alert contains neither an email address nor a domain.');
    const [machines, known, aboutDomains] = await Promise.all([
      findMachines(context),
      asked.length > 0 ? skills.threatIntelligence.getPlaybookAlerts({ entities: asked, max_items: 50 }) : null,
      enrich({ skills }, 'domain', domains),
    ]);
    const logons = await Promise.all(
      machines.map(({ machine }) => skills.endpointDetection.listMachineLogonUsers({ machine_id: machine.id, max_items: 100 })),
    );

    const items = known?.items ?? [];
    const open = items.filter(({ status }) => !ENDED.test(status ?? ''));
    const description = (alerts: typeof items) =>
      alerts
        .slice(0, 5)
        .map(({ title, category, priority, status }) => `${title}: ${category}, ${priority}, ${status}`)
        .join('; ');
    const exposures = open.filter(({ category }) => /identity|credential|code_repo/.test(category ?? ''));
    const imitations = open.filter(({ category }) => /domain_abuse|brand/.test(category ?? ''));
    const isHighPriority = (alerts: typeof items) => alerts.some(({ priority }) => priority === 'High');
    if (exposures.length > 0)
      evidence.finding(isHighPriority(exposures) ? 45 : 30, 'Known credential leak', description(exposures), {
        from: known,
        techniques: ['T1589.001', 'T1078'],
      });
    if (imitations.length > 0)
      evidence.finding(isHighPriority(imitations) ? 50 : 40, 'Known look-alike domain', description(imitations), {
        from: known,
        techniques: ['T1583.001'],
      });
    if (items.length > 0 && open.length === 0 && known?.cut === null)
      evidence.finding(-40, 'Earlier alerts about it are closed', description(items), { from: known });
    if (known !== null && items.length === 0) {
      evidence.note('No known leak', 'The threat intelligence platform knows no such leak. Other sources may.', {
        from: known,
      });
      await followUp({ afterHours: 72, reason: 'the threat intelligence platform may know the leak by then.' });
    }
    for (const panels of exposures.flatMap((each) => Panels.safeParse(each.panels).data ?? []).slice(0, 1)) {
      const { compromised_host: host, malware_family: family } = panels.panel_evidence_summary;
      evidence.finding(20, 'Stolen by malware', `${family?.name ?? 'Malware'} stole it on ${host.computer_name}.`, {
        from: known,
        techniques: ['T1555'],
      });
    }

    weighReputation(evidence, aboutDomains, { what: 'domain', bad: 45, doubtful: 15, good: -10, techniques: ['T1566'] });
    const accounts = new Set([...emails, ...users].map(toAccountName));
    for (const [index, logon] of logons.entries()) {
      const machine = machines[index]?.machine;
      const users = (logon?.items ?? []).filter(({ accountName }) => accounts.has(toAccountName(accountName ?? '')));
      if (!machine || users.length === 0 || exposures.length === 0) continue;
      const reason = users.map((user) => `${user.accountName} last used ${machineName(machine)} at ${user.lastSeen}`).join('; ');
      evidence.finding(15, 'The account is in use', reason, { step: 'account-in-use', from: logon, techniques: ['T1078'] });
    }
  },
);
