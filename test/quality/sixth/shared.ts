import type { StandInRecord } from '../../../connectors/endpoint-detection/stand-in-data.js';
import type { Computer } from '../../../connectors/kit/stand-in/company.js';
import type { Employee } from '../company/company.js';
import type { Fact } from '../company/fact.js';
import { computer, endpointAlertId, person } from './company.js';
import { account, alsoUsedBy, CONCLUDED, endpointAlert, huntingRow, incident, investigation, ip, link, reputation } from './facts.js';

/**
 * Infrastructure that many people and machines share, and that the company has not entered as its own. Records of different
 * people name each of these values and contradict each other, so a record that shares nothing else with an alert says nothing.
 */
const host = (name: string, user: string, os: string, internalIp: string) => computer(name, user, os, { internalIp });
export const SHARED = {
  /** The exit of the web tunnel through which all offices browse. */
  tunnel: '198.51.100.33',
  tunnelV6: '2001:db8:6e::21',
  /** Recife's address on the Internet. */
  nat: '203.0.113.200',
  /** Brokers sell policies from behind this address. */
  brokers: '198.51.100.88',
  storage: 'armazem-nuvem.example',
  mailRelay: host('gw-correio-01', 'svc_correio', 'WindowsServer2022', '10.77.0.25'),
  jumpHost: host('salto-adm-01', 'adm.plantao', 'WindowsServer2022', '10.77.0.40'),
  scanner: host('varredor-02', 'svc_varredura', 'Linux', '10.77.0.61'),
  terminal: host('vdi-farm-03', 'svc_vdi', 'WindowsServer2022', '10.77.0.70'),
  collector: host('coletor-logs-02', 'svc_coletor', 'Linux', '10.77.0.80'),
  resolver: host('dns-interno-01', 'svc_dns', 'WindowsServer2022', '10.77.0.53'),
  robot: 'svc_rpa_sinistros',
  sync: 'svc_sincronia',
} as const;

const NAMES = [
  ['Abílio', 'Tavares'],
  ['Bruna', 'Meireles'],
  ['Cássio', 'Furtado'],
  ['Denise', 'Lacerda'],
  ['Edson', 'Pimentel'],
  ['Fabiana', 'Queiroz'],
  ['Gilberto', 'Arruda'],
  ['Helena', 'Bastos'],
  ['Ítalo', 'Cordeiro'],
  ['Janaína', 'Drummond'],
  ['Kleber', 'Esteves'],
  ['Lígia', 'Falcão'],
] as const;
/** People and machines that appear in records beside a shared value, and in no alert. */
const BYSTANDERS = NAMES.map(([givenName, familyName], index) => {
  const who = person(givenName, familyName);
  return { who, on: computer(`sp-nb-${3900 + 7 * index}`, who.account) };
});
type Bystander = (typeof BYSTANDERS)[number];

/** Evidence that names the shared value in the record of another person. */
type Evidence = (bystander: Bystander) => StandInRecord;
interface Spread {
  readonly label: string;
  readonly incidentIds: readonly [number, number];
  readonly evidence: Evidence;
  /** The machine of the records, where the shared thing is a machine. */
  readonly on?: Computer;
}

function at(index: number): Bystander {
  const bystander = BYSTANDERS[index % BYSTANDERS.length];
  if (!bystander) throw new Error('there are no bystanders');
  return bystander;
}

let next = 0;
/** Ten records of ten people: closed as false positive, confirmed and still open, and undecided. */
function contradicting({ label, incidentIds: [closed, open], evidence, on }: Spread): Fact[] {
  const start = next++;
  const alertOf = (
    offset: number,
    hoursAgo: number,
    severity: 'Low' | 'Medium' | 'High',
    concluded?: (typeof CONCLUDED)[keyof typeof CONCLUDED],
  ) => {
    const bystander = at(start + offset);
    const title = `${['Unusual token', 'Rare process', 'Blocked upload', 'Odd sign-in', 'Script engine', 'Remote tool'][offset] ?? 'Detection'}: ${bystander.who.account}`;
    return endpointAlert(on ?? bystander.on, {
      id: endpointAlertId(`${label} ${title}`),
      title,
      severity,
      hoursAgo,
      evidence: [account(bystander.who), evidence(bystander)],
      ...(concluded && { concluded }),
    });
  };
  const [first, second] = [at(start + 6), at(start + 7)];
  return [
    alertOf(0, 70, 'Medium', CONCLUDED.falsePositive),
    alertOf(1, 8, 'Low', CONCLUDED.falsePositive),
    alertOf(2, 5, 'High', CONCLUDED.confirmed),
    alertOf(3, 26, 'High', CONCLUDED.malware),
    alertOf(4, 2, 'Medium'),
    alertOf(5, 130, 'Low'),
    incident(closed, {
      name: `Unusual activity of ${first.who.account}`,
      severity: 'Medium',
      hoursAgo: 20,
      concluded: CONCLUDED.falsePositive,
      on: [on ?? first.on],
      entities: [account(first.who), evidence(first)],
    }),
    incident(open, {
      name: `Intrusion with the account ${second.who.account}`,
      severity: 'High',
      hoursAgo: 6,
      concluded: CONCLUDED.confirmed,
      on: [on ?? second.on],
      entities: [account(second.who), evidence(second)],
    }),
    investigation(`Activity of ${at(start + 8).who.account} via ${label}`, 'BENIGN', 18),
    investigation(`Activity of ${at(start + 9).who.account} via ${label}`, 'MALICIOUS', 30, 'HIGH'),
  ];
}

/** Connections of different machines with the address on the same day. */
const connections = (address: string): Fact[] =>
  BYSTANDERS.slice(0, 8).map(({ on }, index) =>
    huntingRow('DeviceNetworkEvents', on, 1 + index, { RemoteIP: address, ActionType: 'ConnectionSuccess' }),
  );
const logons = (on: Computer, people: readonly Employee[]): Fact[] =>
  people.flatMap((who, index) => [
    alsoUsedBy(on, who),
    huntingRow('DeviceLogonEvents', on, 1 + index, {
      AccountName: who.account,
      LogonType: 'RemoteInteractive',
      ActionType: 'LogonSuccess',
    }),
  ]);

const allStaff = BYSTANDERS.map(({ who }) => who);
const serviceAccount =
  (accountName: string): Evidence =>
  () => ({ entityType: 'User', accountName, domainName: 'IPEROXO' });
const ofOwner: Evidence = ({ who }) => account(who);

export const SHARED_FACTS: readonly Fact[] = [
  ...contradicting({ label: SHARED.tunnel, incidentIds: [84_011, 84_012], evidence: () => ip(SHARED.tunnel) }),
  ...connections(SHARED.tunnel),
  ...contradicting({ label: SHARED.tunnelV6, incidentIds: [84_013, 84_014], evidence: () => ip(SHARED.tunnelV6) }),
  reputation('ip', SHARED.nat, 0),
  ...contradicting({ label: SHARED.nat, incidentIds: [84_015, 84_016], evidence: () => ip(SHARED.nat) }),
  reputation('ip', SHARED.brokers, 21),
  ...contradicting({ label: SHARED.brokers, incidentIds: [84_017, 84_018], evidence: () => ip(SHARED.brokers) }),
  reputation('domain', SHARED.storage, 0),
  ...contradicting({
    label: SHARED.storage,
    incidentIds: [84_019, 84_020],
    evidence: ({ who }) => link(`https://${SHARED.storage}/u/${who.account}`),
  }),
  ...[SHARED.mailRelay, SHARED.jumpHost, SHARED.scanner, SHARED.terminal, SHARED.collector, SHARED.resolver].flatMap((on, index) => [
    ...contradicting({ label: on.name, incidentIds: [84_031 + 2 * index, 84_032 + 2 * index], evidence: ofOwner, on }),
    ...logons(on, allStaff.slice(index, index + 6)),
  ]),
  ...contradicting({ label: SHARED.robot, incidentIds: [84_051, 84_052], evidence: serviceAccount(SHARED.robot) }),
  ...contradicting({ label: SHARED.sync, incidentIds: [84_053, 84_054], evidence: serviceAccount(SHARED.sync) }),
];
