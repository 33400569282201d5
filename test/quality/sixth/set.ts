import type { ThirdParties } from '../../../connectors/stand-ins.js';
import { loadCompany } from '../company/facts.js';
import { endpoints } from './cases/endpoints.js';
import { identity } from './cases/identity.js';
import { records } from './cases/records.js';
import { sharedExits } from './cases/shared-exits.js';
import { sharedHosts } from './cases/shared-hosts.js';
import { digest, IPE_ROXO } from './company.js';
import type { LabelledCase } from './labelled-case.js';
import { SHARED_FACTS } from './shared.js';

/** The alerts of an area arrive at one organization, so that its earlier alerts name the same shared values. */
const AREAS = { sharedExits, sharedHosts, endpoints, identity, records };

export const SIXTH_SET: readonly LabelledCase[] = Object.entries(AREAS).flatMap(([area, cases]) =>
  cases.toSorted((one, other) => place(one).localeCompare(place(other))).map((each) => ({ ...each, alert: { ...each.alert, area } })),
);

function place({ alert }: LabelledCase): string {
  return digest(`${alert.type}: ${alert.name}`);
}

export function loadSixthTruth({ standIns }: ThirdParties): void {
  loadCompany(IPE_ROXO, standIns, [...SHARED_FACTS, ...SIXTH_SET.flatMap(({ facts }) => facts)]);
}
