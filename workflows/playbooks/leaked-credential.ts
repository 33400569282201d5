import { z } from 'zod';
import { enrich, findMachines, limitItems, listValues, machineName, toAccountName, weighReputation } from '../lib/playbook-helpers.js';
import { playbook } from '../playbook.js';

/** What an alert about a stolen password says of the computer it was stolen on. */
const Panels = z.object({
  panel_evidence_summary: z.object({
    compromised_host: z.object({ computer_name: z.string() }),
    malware_family: z.object({ name: z.string() }).nullish().catch(null),
  }),
});
const ENDED = /^(dismissed|resolved)$/i;

/** Something of the company was seen outside: a password for sale, a domain that looks like ours. */
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
    // The domain of somebody's address is where they work, not what the alert is about.
    const homes = new Set(emails.map((email) => email.split('@')[1]));
    const domains = limitItems(
      evidence,
      'domain',
      listValues(entities, 'domain').filter((domain) => !homes.has(domain)),
    );
    const asked = [...emails.map((email) => `email:${email}`), ...domains.map((domain) => `idn:${domain}`)];
    if (asked.length === 0) evidence.gap('Nobody and nothing named', 'The alert names neither a mail address nor a domain.');
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
    const grave = (alerts: typeof items) => alerts.some(({ priority }) => priority === 'High');
    if (exposures.length > 0)
      evidence.finding(grave(exposures) ? 45 : 30, 'The credential is known to be out', description(exposures), {
        from: known,
        techniques: ['T1589.001', 'T1078'],
      });
    if (imitations.length > 0)
      evidence.finding(grave(imitations) ? 50 : 40, 'The domain is known to imitate ours', description(imitations), {
        from: known,
        techniques: ['T1583.001'],
      });
    if (items.length > 0 && open.length === 0 && known?.cut === null)
      evidence.finding(-40, 'It was dealt with before', description(items), { from: known });
    if (known !== null && items.length === 0) {
      evidence.note('The intelligence platform knows of no such leak', 'That proves nothing: it may have been seen elsewhere.', {
        from: known,
      });
      await followUp({ afterHours: 72, reason: 'the intelligence platform may know of the leak by then.' });
    }
    for (const panels of exposures.flatMap((each) => Panels.safeParse(each.panels).data ?? []).slice(0, 1)) {
      const { compromised_host: host, malware_family: family } = panels.panel_evidence_summary;
      evidence.finding(20, 'It was taken by malware', `${family?.name ?? 'Malware'} took it on ${host.computer_name}.`, {
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
      const reason = users.map((user) => `${user.accountName} was last on ${machineName(machine)} at ${user.lastSeen}`).join('; ');
      evidence.finding(15, 'The account is in use', reason, { step: 'account-in-use', from: logon, techniques: ['T1078'] });
    }
  },
);
