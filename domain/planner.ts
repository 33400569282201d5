import { ENTITY_KINDS } from './entity.js';
import type { Plan } from './playbook.js';

/**
 * Makes the playbook for an alert type that has none. The same type always gets the same plan, so two processes
 * that make it at the same moment agree.
 */
export function planFor(alertType: string): Plan {
  return {
    steps: [
      { do: 'extract-indicators', of: [...ENTITY_KINDS], why: `Names what "${alertType}" alerts speak of, so that each can be looked up.` },
      {
        do: 'correlate',
        by: ['ip', 'domain', 'url', 'hash', 'cve', 'email', 'user', 'host', 'machine-id', 'incident-id'],
        withinDays: 30,
        why: 'An indicator seen in earlier alerts of the same organization is rarely a coincidence.',
      },
      { do: 'summarise', why: 'States the verdict, what decided it, and what could not be answered.' },
    ],
  };
}
