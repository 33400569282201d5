import type { StandInRecord } from '../../../connectors/endpoint-detection/stand-in-data.js';
import { COMPUTERS, type Computer, type Person } from '../../../connectors/kit/stand-in/company.js';
import { describeComputer, malwareEvent } from '../../../connectors/malware-protection/stand-in.js';
import type { ThirdParties } from '../../../connectors/stand-ins.js';
import { buildBooking, type Place } from '../../../connectors/travel-booking/stand-in.js';
import { ESTATE, PLACES, STAFF } from './estate.js';
import { CVES, FILES, IPS, knownIndicators } from './reputation.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** Loads the facts about all entities of the labelled alerts into the stand-ins. */
export function loadTruth({ standIns }: ThirdParties): void {
  for (const [key, known] of knownIndicators()) standIns.threatIntelligence.state.known.set(key, known);
  loadLeaks(standIns.threatIntelligence.state);
  loadEndpoints(standIns.endpointDetection.state);
  loadMalwareEvents(standIns.malwareProtection.state);
  loadScanner(standIns.vulnerabilityInvestigation.state);
  loadIncidents(standIns.incidentSource.state);
  loadTrips(standIns.travelBooking.state);
  // Other tests cover rate limits. Here, many organizations share one stand-in instead of a tenant each.
  standIns.endpointDetection.state.identity.requestsPerMinute = 100_000;
  standIns.incidentSource.state.identity.requestsPerMinute = 100_000;
  standIns.malwareProtection.state.requestsLeft = 1_000_000;
}

type State<Name extends keyof ThirdParties['standIns']> = ThirdParties['standIns'][Name]['state'];

function loadEndpoints(state: State<'endpointDetection'>): void {
  const [template] = state.machines;
  const machine = (computer: Computer, riskScore: string): StandInRecord => ({
    ...template,
    id: computer.machineId,
    computerDnsName: computer.dnsName,
    osPlatform: computer.os,
    lastIpAddress: computer.internalIp,
    riskScore,
    exposureLevel: 'Low',
    machineTags: [],
  });
  state.machines.push(
    machine(ESTATE.infected, 'High'),
    machine(ESTATE.misjudged, 'None'),
    machine(ESTATE.quiet, 'None'),
    machine(ESTATE.doubtful, 'Medium'),
    machine(ESTATE.database, 'Low'),
    machine(ESTATE.admin, 'None'),
  );
  for (const computer of Object.values(ESTATE)) {
    const [user] = state.logonUsers[COMPUTERS[0].machineId] ?? [];
    const isDomainAdmin = computer.user === 'joost.bakker';
    state.logonUsers[computer.machineId] = [{ ...user, id: `harbour-reed\\${computer.user}`, accountName: computer.user, isDomainAdmin }];
  }
  const [alert] = state.alerts;
  const alertOn = (computer: Computer, n: number, given: StandInRecord): StandInRecord => ({
    ...alert,
    id: `da63870000000001${String(n).padStart(4, '0')}_1364969${n}`,
    machineId: computer.machineId,
    computerDnsName: computer.dnsName,
    incidentId: 3900 + n,
    evidence: [],
    mitreTechniques: [],
    ...given,
  });
  const judgedFalse = { classification: 'FalsePositive', determination: 'NotMalicious', status: 'Resolved' };
  state.alerts.push(
    alertOn(ESTATE.infected, 1, { severity: 'High', title: 'Credentials were read from memory', mitreTechniques: ['T1003.001'] }),
    alertOn(ESTATE.misjudged, 2, { severity: 'Medium', title: 'Remote administration tool', ...judgedFalse }),
    alertOn(ESTATE.doubtful, 3, { severity: 'Low', title: 'Uncommon script host' }),
    alertOn(ESTATE.admin, 4, { severity: 'Medium', title: 'Remote service installed', ...judgedFalse }),
  );
  const weakness = (id: string, severity: string, isExploited: boolean): StandInRecord => ({
    ...state.vulnerabilities[0],
    id,
    name: id,
    severity,
    cvssV3: severity === 'Critical' ? 9.8 : 4.1,
    exposedMachines: 1,
    publicExploit: isExploited,
    exploitVerified: isExploited,
    epss: isExploited ? 0.9 : 0.01,
  });
  state.vulnerabilities.push(
    weakness(CVES.bad.onDatabase, 'Critical', true),
    { ...weakness(CVES.doubtful.onQuiet, 'High', false), publicExploit: true },
    weakness(CVES.good.printing, 'Low', false),
  );
  const on = (computer: Computer, cveId: string, productName: string, severity: string): StandInRecord => ({
    ...state.machineVulnerabilities[0],
    id: `${computer.machineId}-_-${cveId}-_-example-_-${productName}-_-2.0-_-`,
    cveId,
    machineId: computer.machineId,
    productName,
    severity,
  });
  state.machineVulnerabilities.push(
    on(ESTATE.database, CVES.bad.onDatabase, 'database-server', 'Critical'),
    on(ESTATE.quiet, CVES.doubtful.onQuiet, 'viewer', 'High'),
    on(ESTATE.doubtful, CVES.good.printing, 'print-spooler', 'Low'),
  );
}

function loadMalwareEvents(state: State<'malwareProtection'>): void {
  state.computers.push(...Object.values(ESTATE).map(describeComputer));
  const nowSeconds = Math.floor(Date.now() / 1000);
  const detected = (n: number, computer: Computer, sha256: string, detection: string, type: 'Threat Detected' | 'Threat Quarantined') =>
    malwareEvent({
      id: 6_180_352_115_244_800_000n + BigInt(n),
      type,
      at: nowSeconds - 3600,
      computer,
      more: { detection, severity: 'High', file: { disposition: 'Malicious', file_name: 'a.exe', identity: { sha256 } } },
    });
  state.events = [
    detected(1, ESTATE.infected, FILES.bad.loader, 'W32.Example.Loader', 'Threat Detected'),
    detected(2, ESTATE.infected, FILES.bad.stealer, 'W32.Example.Stealer', 'Threat Quarantined'),
    detected(3, ESTATE.database, FILES.bad.ransomware, 'W32.Example.Ransom', 'Threat Quarantined'),
    detected(4, ESTATE.database, FILES.bad.miner, 'W32.Example.Miner', 'Threat Detected'),
    ...state.events,
  ];
}

function loadScanner(state: State<'vulnerabilityInvestigation'>): void {
  const [asset] = state.assets;
  const [, weakness] = state.vulnerabilities;
  if (!asset || !weakness) throw new Error('the stand-in has no asset to start from');
  const found = (id: string) => ({ ...asset.same[0], vulnerability_id: id });
  const add = (computer: Computer, ...same: ReturnType<typeof found>[]) =>
    state.assets.push({ ...asset, id: `asset-${computer.name}`, host_name: computer.dnsName, ip: computer.internalIp, same });
  add(ESTATE.infected);
  add(ESTATE.misjudged);
  add(ESTATE.admin);
  add(ESTATE.quiet, found('viewer-cve-2025-33333'));
  add(ESTATE.doubtful, found('spooler-cve-2025-22222'));
  add(ESTATE.database, found('database-cve-2025-11111'));
  const known = (id: string, cves: string, severity: string, exploits: unknown[]) => ({
    ...weakness,
    id,
    title: id,
    cves,
    severity,
    exploits,
  });
  state.vulnerabilities.push(
    known('viewer-cve-2025-33333', CVES.doubtful.onQuiet, 'severe', []),
    known('spooler-cve-2025-22222', CVES.good.printing, 'moderate', []),
    known('database-cve-2025-11111', CVES.bad.onDatabase, 'critical', [{ id: '9', name: 'db_rce', source: 'exploit' }]),
  );
}

function loadIncidents(state: State<'incidentSource'>): void {
  const [template] = state.incidents;
  const device = ({ machineId, dnsName }: Computer) => ({ mdatpDeviceId: machineId, deviceDnsName: dnsName });
  const add = (incidentId: number, given: StandInRecord, alert: StandInRecord = {}) =>
    state.incidents.push({
      ...template,
      classification: 'Unknown',
      determination: 'NotAvailable',
      status: 'Active',
      ...given,
      incidentId,
      createdTime: ago(2),
      lastUpdateTime: ago(1),
      alerts: [{ incidentId, alertId: `q-${incidentId}`, mitreTechniques: [], devices: [], entities: [], ...alert }],
    });
  const file = (sha256: string) => ({ entityType: 'File', sha256, fileName: 'a.exe' });
  const address = (ipAddress: string) => ({ entityType: 'Ip', ipAddress });
  const resolved = { status: 'Resolved', assignedTo: 'joost.bakker@harbour-reed.example' };
  add(
    3001,
    { incidentName: 'Hands-on-keyboard attack', severity: 'High', ...resolved, classification: 'TruePositive', determination: 'Malware' },
    { devices: [device(ESTATE.infected)], entities: [file(FILES.bad.loader)] },
  );
  add(
    3002,
    { incidentName: 'Remote administration tool', severity: 'Medium', ...resolved, classification: 'FalsePositive' },
    { devices: [device(ESTATE.misjudged)], entities: [file(FILES.good.adminTool)] },
  );
  add(3003, { incidentName: 'Penetration test', severity: 'High', ...resolved, classification: 'InformationalExpectedActivity' });
  add(
    3004,
    { incidentName: 'Ransomware on several machines', severity: 'High' },
    { devices: [device(ESTATE.infected), device(ESTATE.database)], entities: [file(FILES.bad.ransomware), address(IPS.bad.ransomPanel)] },
  );
  add(3005, { incidentName: 'Mail with an unusual attachment', severity: 'Low' });
  add(3006, { incidentName: 'Credential theft', severity: 'Medium', status: 'Redirected', redirectIncidentId: 3001 });
  add(
    3007,
    { incidentName: 'Script from the Internet', severity: 'Medium', ...resolved, classification: 'FalsePositive' },
    { devices: [device(ESTATE.doubtful)], entities: [file(FILES.bad.webShell)] },
  );
  add(
    3008,
    { incidentName: 'Connection to an unusual address', severity: 'Medium' },
    { devices: [device(ESTATE.doubtful)], entities: [address(IPS.doubtful.scanner)] },
  );
  add(3009, { incidentName: 'Backup agent flagged', severity: 'Low' }, { entities: [file(FILES.good.backupAgent)] });
}

function loadLeaks(state: State<'threatIntelligence'>): void {
  const [exposure, abuse] = state.playbookAlerts;
  if (!exposure || !abuse) throw new Error('the stand-in knows of no leak to start from');
  const add = (kind: typeof exposure, n: number, entity: string, status: string, priority: string) =>
    state.playbookAlerts.push({
      ...kind,
      playbook_alert_id: `task:00000000-0000-4000-8000-0000000q${String(n).padStart(4, '0')}`,
      entity,
      title: entity.split(':')[1] ?? entity,
      status,
      priority,
    });
  add(exposure, 1, `email:${STAFF.aiko.email}`, 'New', 'High');
  add({ ...exposure, panels: {} }, 2, `email:${STAFF.nadia.email}`, 'InProgress', 'Moderate');
  add(exposure, 3, `email:${STAFF.leif.email}`, 'Resolved', 'High');
  add(abuse, 4, 'idn:harbourreed-login.example', 'New', 'High');
  add(abuse, 5, 'idn:harbour-weekly.example', 'Dismissed', 'Moderate');
}

function loadTrips({ bookings, users }: State<'travelBooking'>): void {
  users.push(
    ...Object.values(STAFF).map(({ id, account, email }) => ({ id, userName: account, emails: [{ value: email, primary: true }] })),
  );
  const today = Date.now() - (Date.now() % DAY_MS);
  const addTrip = (who: Person, from: Place, to: Place, startsInDays: number, days: number, status = 'TICKETED') => {
    const trip = { id: `7a110000-0000-4000-9000-${String(bookings.length).padStart(12, '0')}`, name: `${to.city} visit` };
    const startMs = today + startsInDays * DAY_MS;
    bookings.push(
      buildBooking(who, { type: 'FLIGHT', status, from, to, startMs, days: 1, trip }),
      buildBooking(who, { type: 'HOTEL', status: status === 'TICKETED' ? 'CONFIRMED' : status, from: to, to, startMs, days, trip }),
    );
  };
  addTrip(STAFF.leif, PLACES.rotterdam, PLACES.oslo, -2, 5);
  addTrip(STAFF.sam, PLACES.lisbon, PLACES.newYork, -1, 4);
  addTrip(STAFF.nadia, PLACES.lisbon, PLACES.toronto, -1, 5, 'CANCELED');
  addTrip(STAFF.omar, PLACES.rotterdam, PLACES.dubai, -40, 6);
}
