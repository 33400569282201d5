import { computer, PLACES, person } from '../company.js';
import { account, CONCLUDED, endpointAlert, exposure, incident, investigation, ip, itinerary, reputation, trip } from '../facts.js';
import { attack, harmless, type LabelledCase } from '../labelled-case.js';

const TRAVEL = 'Impossible travel between offices';
const LOCAL = 'Login de local incomum';
const VPN = 'VPN session anomaly';
const LEAK = 'Credential leak notice';
const TICKET = 'Ticket Kerberos anômalo';
const RULE = 'New inbox rule';
const PERSON = 'Sign-in from unusual place';

const far = {
  toronto: { city: 'Toronto', country: 'Canada' },
  madrid: { city: 'Madrid', country: 'Spain' },
  panama: { city: 'Panama City', country: 'Panama' },
  zurich: { city: 'Zurich', country: 'Switzerland' },
  mumbai: { city: 'Mumbai', country: 'India' },
  bogota: { city: 'Bogotá', country: 'Colombia' },
  lisbon: { city: 'Lisbon', country: 'Portugal' },
} as const;
const DESK = 'central.servicos@iperoxo.example';

const trips: readonly LabelledCase[] = [
  (() => {
    const who = person('Adélia', 'Prates');
    return harmless('benign', {
      type: TRAVEL,
      name: 'a booked trip',
      format: 'Entra sign-in',
      kinds: ['trip', 'reputation'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '192.0.2.65', ...far.toronto },
      facts: [trip(who, PLACES.toronto, -1, 4), reputation('ip', '192.0.2.65', 0)],
      why: 'The person is booked in Toronto now, and the address is clean.',
    });
  })(),
  (() => {
    const who = person('Bernardo', 'Quadra');
    return harmless('benign', {
      type: LOCAL,
      name: 'a booked trip of an account that only its short name gives',
      format: 'Portuguese prose',
      kinds: ['trip', 'several account names', 'reputation'],
      told: { title: 'login de local incomum', user: `IPEROXO\\${who.account}`, remoteIp: '192.0.2.67', ...far.mumbai },
      facts: [trip(who, PLACES.mumbai, -2, 6), reputation('ip', '192.0.2.67', 0)],
      why: 'The travel platform knows the account by its sign-in name, and the person is booked in Mumbai.',
    });
  })(),
  (() => {
    const who = person('Catarina', 'Rossi');
    return harmless('benign', {
      type: TRAVEL,
      name: 'a booked trip of a person that only the employee number gives',
      format: 'Portuguese CSV, semicolons',
      kinds: ['trip', 'several account names', 'reputation'],
      told: { title: 'Impossible travel', user: who.employeeNumber ?? '', remoteIp: '192.0.2.68', ...far.zurich },
      facts: [trip(who, PLACES.zurich, -1, 5), reputation('ip', '192.0.2.68', 0)],
      why: 'The directory of the travel platform has this employee number, and the person is booked in Zurich.',
    });
  })(),
  (() => {
    const who = person('Davi', 'Sabóia');
    return harmless('benign', {
      type: TRAVEL,
      name: 'a booked trip of a person that only the mail address gives',
      format: 'Netskope JSON',
      kinds: ['trip', 'several account names'],
      told: { title: 'Impossible travel', user: who.email, remoteIp: '198.51.100.45', ...far.lisbon },
      facts: [trip(who, PLACES.lisbon, -2, 5)],
      why: 'The person is booked in Lisbon now; nothing speaks against the address.',
    });
  })(),
  (() => {
    const who = person('Eunice', 'Taunay');
    return harmless('benign', {
      type: TRAVEL,
      name: 'the second leg of a booking',
      format: 'Entra sign-in',
      kinds: ['trip', 'second leg', 'reputation'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '192.0.2.69', ...far.madrid },
      facts: [itinerary(who, [PLACES.lisbon, PLACES.madrid], -4, 3), reputation('ip', '192.0.2.69', 0)],
      why: 'The second leg of the trip leads to Madrid, where the person is booked now.',
    });
  })(),
  (() => {
    const who = person('Flávio', 'Uchôa');
    return harmless('benign', {
      type: LOCAL,
      name: 'the second leg of an account that only its short name gives',
      format: 'Windows event XML',
      kinds: ['trip', 'second leg', 'several account names'],
      told: { title: 'Login de local incomum', user: who.account, remoteIp: '198.51.100.46', ...far.panama },
      facts: [itinerary(who, [PLACES.bogota, PLACES.panama], -5, 4)],
      why: 'The second leg leads to Panama City, where the person is booked now.',
    });
  })(),
  (() => {
    const who = person('Glória', 'Vianna');
    return harmless('benign', {
      type: TRAVEL,
      name: 'the third leg of a booking',
      format: 'JSON lines',
      kinds: ['trip', 'second leg'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '198.51.100.47', ...far.zurich },
      facts: [itinerary(who, [PLACES.lisbon, PLACES.madrid, PLACES.zurich], -7, 3)],
      why: 'The third leg leads to Zurich, where the person is booked now.',
    });
  })(),
  (() => {
    const who = person('Horácio', 'Weber');
    return attack(['suspicious', 'inconclusive'], {
      type: TRAVEL,
      name: 'a place that the person has left',
      format: 'Chat export',
      kinds: ['trip', 'second leg'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '198.51.100.48', ...far.zurich },
      facts: [itinerary(who, [PLACES.zurich, PLACES.mumbai], -8, 5)],
      why: 'The person left Zurich three days ago and is booked in Mumbai now.',
    });
  })(),
  (() => {
    const who = person('Irene', 'Xisto');
    return attack('suspicious', {
      type: TRAVEL,
      name: 'a cancelled trip',
      format: 'Uruguayan prose',
      kinds: ['trip', 'no trip'],
      told: { title: 'viaje imposible', user: who.email, remoteIp: '198.51.100.49', ...far.bogota },
      facts: [trip(who, PLACES.bogota, -1, 4, 'CANCELED')],
      why: 'The trip to Bogotá was cancelled, so the person should not be there.',
    });
  })(),
  (() => {
    const who = person('Jaime', 'Yamada');
    return attack('suspicious', {
      type: TRAVEL,
      name: 'a trip to another place',
      format: 'Jira markup',
      kinds: ['trip', 'no trip'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '198.51.100.50', ...far.mumbai },
      facts: [trip(who, PLACES.toronto, -1, 5)],
      why: 'The person is booked in Toronto, not in Mumbai.',
    });
  })(),
  (() => {
    const who = person('Kátia', 'Zambelli');
    return attack(['suspicious', 'inconclusive'], {
      type: TRAVEL,
      name: 'no trip and nothing else',
      format: 'logfmt',
      kinds: ['no trip', 'unknown indicator'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '198.51.100.51', ...far.mumbai },
      why: 'No trip explains the place; nothing is known about the address.',
    });
  })(),
  (() => {
    const who = person('Lauro', 'Abranches');
    return attack('malicious', {
      type: TRAVEL,
      name: 'no trip and a bad address',
      format: 'QRadar offense',
      kinds: ['no trip', 'reputation'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '203.0.113.97', ...far.panama },
      facts: [reputation('ip', '203.0.113.97', 87)],
      why: 'An address with a bad reputation signed in to an own account, and no trip explains it.',
    });
  })(),
  (() => {
    const who = person('Mirella', 'Bicalho');
    return attack(['malicious', 'suspicious'], {
      type: TRAVEL,
      name: 'a booked trip and a bad address',
      format: 'Alertmanager YAML',
      kinds: ['trip', 'reputation'],
      told: { title: 'Impossible travel', user: who.upn, remoteIp: '203.0.113.98', ...far.madrid },
      facts: [trip(who, PLACES.madrid, -1, 4), reputation('ip', '203.0.113.98', 90)],
      why: 'The trip is booked, but the sign-in came from an address with a bad reputation.',
    });
  })(),
  (() => {
    const who = person('Norberto', 'Carneiro');
    return attack(['suspicious', 'inconclusive'], {
      type: TRAVEL,
      name: 'a trip of two months ago',
      format: 'Portuguese HTML',
      kinds: ['no trip', 'stale fact'],
      told: { title: 'Viagem impossível', user: who.email, remoteIp: '198.51.100.52', ...far.lisbon },
      facts: [trip(who, PLACES.lisbon, -60, 6)],
      why: 'The only trip to Lisbon ended two months ago.',
    });
  })(),
];

const persons: readonly LabelledCase[] = [
  (() => {
    const [reporter, who] = [person('Odete', 'Dornelles'), person('Plínio', 'Espíndola')];
    return attack(['suspicious', 'inconclusive'], {
      type: PERSON,
      name: 'the trip of the colleague who reported it',
      format: 'GLPI ticket',
      kinds: ['person of the sign-in', 'no trip'],
      told: { title: 'Login fora do país', reporter: reporter.email, user: who.upn, remoteIp: '198.51.100.53', ...far.toronto },
      facts: [trip(reporter, PLACES.toronto, -1, 4)],
      why: 'The reporter is booked in Toronto; the person of the sign-in is not.',
    });
  })(),
  (() => {
    const who = person('Raquel', 'Fontoura');
    return harmless('benign', {
      type: PERSON,
      name: 'a booked trip that the service desk passed on',
      format: 'Portuguese mail thread',
      kinds: ['person of the sign-in', 'trip', 'reputation'],
      told: { title: 'Login fora do país', reporter: DESK, user: who.upn, remoteIp: '192.0.2.70', ...far.madrid },
      facts: [trip(who, PLACES.madrid, -2, 5), reputation('ip', '192.0.2.70', 0)],
      why: 'The person of the sign-in is booked in Madrid; the service desk only passed it on.',
    });
  })(),
  (() => {
    const who = person('Sandro', 'Guarnieri');
    return harmless('benign', {
      type: PERSON,
      name: 'a booked trip that a shared mailbox passed on',
      format: 'Mail in MIME parts',
      kinds: ['person of the sign-in', 'trip', 'several account names', 'reputation'],
      told: {
        title: 'Login fora do país',
        reporter: 'sinistros.auto@iperoxo.example',
        from: 'alertas@iperoxo.example',
        user: who.account,
        remoteIp: '192.0.2.71',
        ...far.bogota,
      },
      facts: [trip(who, PLACES.bogota, -1, 3), reputation('ip', '192.0.2.71', 0)],
      why: 'The account of the sign-in belongs to a person who is booked in Bogotá; the mailboxes only passed it on.',
    });
  })(),
  (() => {
    const [manager, who] = [person('Telma', 'Hermeto'), person('Ubaldo', 'Inojosa')];
    return attack(['suspicious', 'inconclusive'], {
      type: PERSON,
      name: 'the trip of the manager',
      format: 'Markdown, defanged',
      kinds: ['person of the sign-in', 'no trip'],
      told: {
        title: 'Sign-in abroad',
        user: who.upn,
        remoteIp: '198.51.100.54',
        ...far.panama,
        text: `Manager in copy: ${manager.email}`,
      },
      facts: [trip(manager, PLACES.panama, -1, 4)],
      why: 'The manager is booked in Panama City; the person of the sign-in is not.',
    });
  })(),
  (() => {
    const who = person('Valquíria', 'Jatobá');
    return harmless('benign', {
      type: PERSON,
      name: 'a technical account name beside the account of the sign-in',
      format: 'English prose',
      kinds: ['person of the sign-in', 'trip', 'several account names', 'reputation'],
      told: { title: 'sign-in from abroad', user: who.upn, also: who.employeeNumber ?? '', remoteIp: '192.0.2.72', ...far.lisbon },
      facts: [trip(who, PLACES.lisbon, -1, 6), reputation('ip', '192.0.2.72', 0)],
      why: 'Both names belong to the same person, who is booked in Lisbon.',
    });
  })(),
  (() => {
    const [clean, who] = [person('Wálter', 'Kfouri'), person('Zilda', 'Lamounier')];
    return attack('malicious', {
      type: PERSON,
      name: 'a stolen account that a cleared colleague reported',
      format: 'Chat export',
      kinds: ['person of the sign-in', 'incident', 'another entity'],
      told: { title: 'Login fora do país', reporter: clean.email, user: who.upn, remoteIp: '198.51.100.55' },
      facts: [
        incident(84_401, {
          name: 'Sign-in abroad',
          severity: 'Low',
          hoursAgo: 30,
          concluded: CONCLUDED.falsePositive,
          entities: [account(clean)],
        }),
        incident(84_402, {
          name: 'Sign-in with a stolen password',
          severity: 'High',
          hoursAgo: 3,
          concluded: CONCLUDED.compromisedAccount,
          entities: [account(who), ip('198.51.100.55')],
        }),
      ],
      why: 'The incident about this account and address was closed as a compromised account; the false positive concerned the reporter.',
    });
  })(),
  (() => {
    const who = person('Acácio', 'Mendonça');
    return harmless('benign', {
      type: VPN,
      name: 'a false positive under the sign-in name',
      format: 'SonicWall key=value',
      kinds: ['several account names', 'incident'],
      told: { title: 'VPN session anomaly', user: who.account, remoteIp: '198.51.100.56' },
      facts: [
        incident(84_403, {
          name: 'VPN session at an unusual time',
          severity: 'Low',
          hoursAgo: 5,
          concluded: CONCLUDED.falsePositive,
          entities: [account(who), ip('198.51.100.56')],
        }),
      ],
      why: 'The incident about this account and address was closed as a false positive.',
    });
  })(),
  (() => {
    const who = person('Berenice', 'Nascimento');
    return attack('malicious', {
      type: VPN,
      name: 'a confirmed theft under the short name, reported under the mail address',
      format: 'Portuguese TSV',
      kinds: ['several account names', 'incident', 'trip'],
      told: { title: 'Sessão VPN anômala', user: who.email, remoteIp: '198.51.100.57' },
      facts: [
        incident(84_404, {
          name: 'VPN session with a stolen password',
          severity: 'High',
          hoursAgo: 4,
          concluded: CONCLUDED.compromisedAccount,
          entities: [account(who)],
        }),
        trip(who, PLACES.recife, -40, 3),
      ],
      why: 'The directories show that both names belong to the same person, whose account was stolen today.',
    });
  })(),
  (() => {
    const known = person('Cláudia', 'Moura');
    return harmless('inconclusive', {
      type: VPN,
      name: 'a namesake of a cleared person',
      format: 'Check Point syslog',
      kinds: ['another entity', 'unknown indicator'],
      told: { title: 'VPN session anomaly', user: `${known.account}2`, remoteIp: '198.51.100.58' },
      facts: [
        incident(84_405, {
          name: 'VPN session anomaly',
          severity: 'Low',
          hoursAgo: 9,
          concluded: CONCLUDED.falsePositive,
          entities: [account(known)],
        }),
      ],
      why: 'The false positive concerned another account with a similar name; nobody knows this one.',
    });
  })(),
  (() => {
    const who = person('Danilo', 'Ourique');
    return attack('malicious', {
      type: VPN,
      name: 'a session of a bad address',
      format: 'Cisco ASA syslog',
      kinds: ['reputation', 'several account names'],
      told: { title: 'VPN session anomaly', user: who.account, remoteIp: '203.0.113.99' },
      facts: [reputation('ip', '203.0.113.99', 88)],
      why: 'An address with a bad reputation has a session of an own account.',
    });
  })(),
  harmless('inconclusive', {
    type: VPN,
    name: 'an account and an address that nobody knows',
    format: 'Hidden characters',
    kinds: ['unknown indicator'],
    told: { title: 'VPN session anomaly', user: 'terceiro.obras4', remoteIp: '198.51.100.59' },
    why: 'No third party knows the account or the address.',
  }),
];

const accounts: readonly LabelledCase[] = [
  (() => {
    const who = person('Emanuel', 'Paranhos');
    return attack(['suspicious', 'malicious'], {
      type: LEAK,
      name: 'a new leak of high priority',
      format: 'Mail in MIME parts',
      kinds: ['playbook alert'],
      told: { title: 'Senha encontrada em vazamento', user: who.email },
      facts: [exposure(who, 'New')],
      why: 'The platform has a new exposure of high priority for this person.',
    });
  })(),
  (() => {
    const who = person('Fátima', 'Quirós');
    return attack(['suspicious', 'malicious'], {
      type: LEAK,
      name: 'a new leak of an account that only its short name gives',
      format: 'auditd log',
      kinds: ['playbook alert', 'several account names'],
      told: { title: 'Password found in a dump', user: who.account },
      facts: [
        exposure(who, 'New'),
        incident(84_411, { name: 'Mail settings changed', severity: 'Informational', hoursAgo: 300, entities: [account(who)] }),
      ],
      why: 'The directories lead from the short name to the mail address, which has a new exposure of high priority.',
    });
  })(),
  (() => {
    const who = person('Genésio', 'Ribas');
    return harmless('benign', {
      type: LEAK,
      name: 'a leak that is resolved',
      format: 'Portuguese HTML',
      kinds: ['playbook alert'],
      told: { title: 'Senha encontrada em vazamento', user: who.email },
      facts: [exposure(who, 'Resolved', 'High', 18)],
      why: 'The exposure of this person is resolved.',
    });
  })(),
  (() => {
    const who = person('Hilda', 'Scarpa');
    return harmless('benign', {
      type: LEAK,
      name: 'a leak that was dismissed',
      format: 'Markdown, defanged',
      kinds: ['playbook alert'],
      told: { title: 'Password found in a dump', user: who.email },
      facts: [exposure(who, 'Dismissed', 'Moderate', 7)],
      why: 'A person dismissed the exposure at the platform.',
    });
  })(),
  (() => {
    const who = person('Inácio', 'Teles');
    return attack('suspicious', {
      type: LEAK,
      name: 'a new leak of moderate priority',
      format: 'Grafana with template names',
      kinds: ['playbook alert'],
      told: { title: 'Password found in a dump', user: who.email },
      facts: [exposure(who, 'New', 'Moderate')],
      why: 'The platform has a new exposure of moderate priority for this person.',
    });
  })(),
  harmless('inconclusive', {
    type: LEAK,
    name: 'a person that the platform does not know',
    format: 'Portuguese mail thread',
    kinds: ['unknown indicator'],
    told: { title: 'Senha encontrada em vazamento', user: 'estagio.ti7@iperoxo.example', reporter: 'rh@iperoxo.example' },
    why: 'No third party knows of an exposure of this person.',
  }),
  (() => {
    const who = person('Jurema', 'Ulhoa');
    return harmless('benign', {
      type: TICKET,
      name: 'an account that was migrated',
      format: 'Windows event XML',
      kinds: ['investigation'],
      told: { title: 'Ticket with an unusual lifetime', user: who.account },
      facts: [investigation(`Unusual ticket of ${who.account} after the migration`, 'BENIGN', 13)],
      why: 'The investigation about this account and this ticket was closed as benign today.',
    });
  })(),
  (() => {
    const who = person('Lorena', 'Valverde');
    return attack('malicious', {
      type: TICKET,
      name: 'a forged ticket that is confirmed',
      format: 'CEF, Trend Micro',
      kinds: ['investigation'],
      told: { title: 'Ticket with an unusual lifetime', user: who.account },
      facts: [investigation(`Forged ticket of ${who.account}`, 'MALICIOUS', 5, 'CRITICAL')],
      why: 'The investigation about this account was closed as malicious today.',
    });
  })(),
  (() => {
    const who = person('Maurício', 'Werneck');
    const on = computer('sp-nb-5301', who.account);
    return attack(['suspicious', 'malicious'], {
      type: RULE,
      name: 'a rule of a person with an open alert on the own machine',
      format: 'Security Command Center',
      kinds: ['endpoint alert', 'several account names'],
      told: { title: 'Inbox rule moves mail of the bank', user: who.email },
      facts: [endpointAlert(on, { title: 'Cookies of the browser were copied', severity: 'High', hoursAgo: 2, evidence: [account(who)] })],
      why: 'An open alert of high severity on the own machine names this account.',
    });
  })(),
  (() => {
    const who = person('Neide', 'Xerxes');
    return harmless('inconclusive', {
      type: RULE,
      name: 'a rule without any record',
      format: 'Azure Monitor',
      kinds: ['unknown indicator'],
      told: { title: 'Inbox rule created', user: who.upn, domain: 'familia-xerxes.example' },
      why: 'No third party has a record about the person or the domain.',
    });
  })(),
  (() => {
    const who = person('Oscar', 'Zanella');
    return harmless('benign', {
      type: RULE,
      name: 'the rule of a holiday cover',
      format: 'Portuguese prose',
      kinds: ['incident'],
      told: { title: 'regra de encaminhamento criada', user: who.email },
      facts: [
        incident(84_412, {
          name: 'Inbox rule for a holiday cover',
          severity: 'Low',
          hoursAgo: 6,
          concluded: CONCLUDED.expected,
          entities: [account(who)],
        }),
      ],
      why: 'The incident about this person and this rule was closed as expected activity.',
    });
  })(),
];

export const identity: readonly LabelledCase[] = [...trips, ...persons, ...accounts];
