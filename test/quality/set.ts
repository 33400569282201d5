import type { ThirdParties } from '../../connectors/stand-ins.js';
import { cloudAndPeople } from './alerts/cloud-and-people.js';
import { exposure } from './alerts/exposure.js';
import { hostile } from './alerts/hostile.js';
import { incident } from './alerts/incident.js';
import { malware } from './alerts/malware.js';
import { network } from './alerts/network.js';
import { phishing } from './alerts/phishing.js';
import { signIn } from './alerts/sign-in.js';
import { heldOutMadeTypes } from './held-out/described-by-nobody.js';
import { heldOutKnownTypes } from './held-out/known-types.js';
import type { LabelledAlert } from './labelled.js';
import { loadSixthTruth, SIXTH_SET } from './sixth/set.js';
import { loadThirdTruth, THIRD_SET } from './third/set.js';
import { loadTruth } from './truth/load.js';

/**
 * `tuned`: used to improve the rules. `held out`: written after the rules were final. `third` and `sixth`: other companies, each written
 * from the facts of the third parties before the rules changed again.
 */
export const PARTS = ['tuned', 'held out', 'third', 'sixth'] as const;
export type Part = (typeof PARTS)[number];

export const LABELLED_SET: readonly { readonly part: Part; readonly alert: LabelledAlert }[] = [
  ...[phishing, malware, signIn, exposure, network, incident, cloudAndPeople, hostile]
    .flat()
    .map((alert) => ({ part: 'tuned' as const, alert })),
  ...[heldOutKnownTypes, heldOutMadeTypes].flat().map((alert) => ({ part: 'held out' as const, alert })),
  ...THIRD_SET.map(({ alert }) => ({ part: 'third' as const, alert })),
  ...SIXTH_SET.map(({ alert }) => ({ part: 'sixth' as const, alert })),
];

/** Loads the facts of all parts into the stand-ins. */
export function loadTruths(thirdParties: ThirdParties): void {
  loadTruth(thirdParties);
  loadThirdTruth(thirdParties);
  loadSixthTruth(thirdParties);
}
