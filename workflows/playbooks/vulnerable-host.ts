import { listValues } from '../lib/playbook-helpers.js';
import { askStandardQuestions } from '../lib/standard-questions.js';
import { playbook } from '../playbook.js';

/** Checks whether the vulnerability is present, whether an exploit exists and which update fixes it. */
export const vulnerableHost = playbook(
  {
    title: 'Vulnerable host',
    alertTypes: [
      'Vulnerable host',
      'Vulnerable asset',
      'Vulnerability on host',
      'Vulnerability detected',
      'Vulnerability found',
      'Vulnerability alert',
      'Critical vulnerability',
      'Critical vulnerability detected',
      'Exploitable vulnerability',
      'New vulnerability',
      'CVE detected',
    ],
    categories: ['vulnerability'],
    severity: 'medium',
  },
  async (context) => {
    if (listValues(context.entities, 'cve').length === 0)
      context.evidence.gap('No vulnerability named', 'The alert contains no CVE to look up.');
    await askStandardQuestions(context, 'vulnerability');
  },
);
