import { listPeople } from '../lib/playbook-helpers.js';
import { askStandardQuestions } from '../lib/standard-questions.js';
import { playbook } from '../playbook.js';

/** A person signed in from places that are too far apart. Checks whether a booked trip explains the sign-in. */
export const impossibleTravel = playbook(
  {
    title: 'Impossible travel',
    alertTypes: [
      'Impossible travel',
      'Impossible travel activity',
      'Impossible travel to atypical locations',
      'Impossible traveler',
      'Atypical travel',
      'Unusual travel',
      'Improbable travel',
      'Geographically improbable access',
      'Anomalous sign-in',
      'Anomalous sign-in location',
      'Unfamiliar sign-in properties',
      'Sign-in from an unusual location',
      'Sign-in from a new country',
    ],
    severity: 'medium',
  },
  async (context) => {
    if (listPeople(context.entities).length === 0)
      context.evidence.gap('Travel: not asked', 'The alert names no account or email address of the person who signed in.');
    await askStandardQuestions(context, 'sign-in');
  },
);
