import type { ThirdParties } from '../../../connectors/stand-ins.js';
import { loadCompany } from '../company/facts.js';
import { identity } from './alerts/identity.js';
import { mail } from './alerts/mail.js';
import { malware } from './alerts/malware.js';
import { network } from './alerts/network.js';
import { records } from './alerts/records.js';
import { digest, MEDIVARA } from './company.js';
import type { LabelledCase } from './labelled-case.js';

/** Mixed, so that the alerts of one organization are of different types and formats, as in a company. */
export const THIRD_SET: readonly LabelledCase[] = [...malware, ...network, ...identity, ...mail, ...records].toSorted((one, other) =>
  place(one).localeCompare(place(other)),
);

function place({ alert }: LabelledCase): string {
  return digest(`${alert.type}: ${alert.name}`);
}

export function loadThirdTruth({ standIns }: ThirdParties): void {
  loadCompany(
    MEDIVARA,
    standIns,
    THIRD_SET.flatMap(({ facts }) => facts),
  );
}
