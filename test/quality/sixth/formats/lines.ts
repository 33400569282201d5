import { at, escapeXml, type Names, named, type Told } from '../../company/told.js';

const CEF_NAMES: Names = {
  host: 'dhost',
  user: 'duser',
  internalIp: 'src',
  remoteIp: 'dst',
  domain: 'destinationDnsDomain',
  url: 'request',
  fileName: 'fname',
  sha256: 'fileHash',
  viaHost: 'dvchost',
  viaIp: 'sourceTranslatedAddress',
  from: 'suser',
  text: 'msg',
};
const CUSTOM = ['command', 'cve', 'incidentId', 'alertId', 'sha1', 'md5'] as const;

export function cef(told: Told): string {
  const custom = CUSTOM.flatMap((field, index) =>
    told[field] === undefined ? [] : [`cs${index + 1}Label=${field} cs${index + 1}=${String(told[field]).replace(/[\\=]/g, '\\$&')}`],
  );
  const { command: _, cve: __, incidentId: ___, alertId: ____, sha1: _____, md5: ______, ...rest } = told;
  const pairs = named(rest, CEF_NAMES).map(([name, value]) => `${name}=${value.replace(/[\\=]/g, '\\$&')}`);
  return `CEF:0|Trend Micro|Deep Security Agent|20.0|600|${told.title}|5|rt=${Date.parse(at(told))} ${[...pairs, ...custom].join(' ')}`;
}

const LEEF_NAMES: Names = {
  host: 'identHostName',
  user: 'usrName',
  internalIp: 'src',
  remoteIp: 'dst',
  viaHost: 'devName',
  viaIp: 'srcPostNAT',
};

export function leef(told: Told): string {
  const pairs = [['cat', 'alert'], ['devTime', at(told)], ...named(told, LEEF_NAMES)].map(([name, value]) => `${name}=${value}`);
  return `LEEF:1.0|Forcepoint|Web Security|8.5|${told.title.replace(/\W+/g, '_')}|${pairs.join('\t')}`;
}

const quoted = (value: string) => (/[\s"=]/.test(value) ? `"${value.replaceAll('"', "'")}"` : value);

export function sonicWall(told: Told): string {
  const names: Names = {
    internalIp: 'src',
    remoteIp: 'dst',
    user: 'usr',
    host: 'srcHost',
    domain: 'dstname',
    viaIp: 'natSrc',
    viaHost: 'fw',
  };
  const pairs = named(told, names).map(([name, value]) => `${name}=${quoted(value)}`);
  return `<134>id=firewall sn=2CB8ED000000 time="${at(told)}" pri=3 c=32 m=82 msg="${told.title}" ${pairs.join(' ')}`;
}

export function checkPoint(told: Told): string {
  const names: Names = {
    internalIp: 'src',
    remoteIp: 'dst',
    user: 'src_user_name',
    host: 'src_machine_name',
    viaIp: 'xlatesrc',
    viaHost: 'origin',
  };
  const pairs = named(told, names).map(([name, value]) => `${name}:"${value.replaceAll('"', "'")}"; `);
  return `<84>1 ${at(told)} gw-cp-sp CheckPoint 18160 - [action:"Detect"; flags:"18692"; attack:"${told.title}"; ${pairs.join('')}product:"IPS"]`;
}

export function snort(told: Told): string {
  const stamp = at(told).slice(5, 23).replace('T', '-').replace('-', '/');
  const flow = `${told.internalIp ?? told.viaIp ?? '0.0.0.0'}:50124 -> ${told.remoteIp ?? '0.0.0.0'}:443`;
  const { internalIp: _, remoteIp: __, ...rest } = told;
  const comment = named(rest, {}).map(([name, value]) => `${name}: ${value}`);
  return `${stamp}  [**] [1:2027865:4] ${told.title} [**] [Priority: 2] {TCP} ${flow}\n# ${comment.join('; ')}`;
}

export function squid(told: Told): string {
  const seconds = (Date.parse(at(told)) / 1000).toFixed(3);
  const target = told.url ?? `${told.domain ?? told.remoteIp ?? 'nenhum'}:443`;
  const { url: _, domain: __, remoteIp: ___, internalIp: ____, user: _____, ...rest } = told;
  const comment = named(rest, {}).map(([name, value]) => `${name}=${quoted(value)}`);
  const client = told.internalIp ?? told.viaIp ?? '-';
  return `# ${told.title} ${comment.join(' ')}\n${seconds}    211 ${client} TCP_TUNNEL/200 8122 CONNECT ${target} ${told.user ?? '-'} HIER_DIRECT/${told.remoteIp ?? '-'} -`;
}

export function auditd(told: Told): string {
  const seconds = (Date.parse(at(told)) / 1000).toFixed(3);
  const { host, user, command, ...rest } = told;
  const comment = named(rest, {}).map(([name, value]) => `${name}=${quoted(value)}`);
  const run = command === undefined ? '' : `\ntype=PROCTITLE msg=audit(${seconds}:5120): proctitle="${command.replaceAll('"', "'")}"`;
  return `node=${host ?? 'coletor-logs-02'} type=ANOM_ABEND msg=audit(${seconds}:5120): auid=1004 AUID="${user ?? 'unset'}" key="${told.title}" ${comment.join(' ')}${run}`;
}

const PORTUGUESE: Names = {
  host: 'estação',
  user: 'usuário',
  internalIp: 'endereço interno',
  remoteIp: 'endereço remoto',
  domain: 'domínio',
  url: 'link',
  fileName: 'arquivo',
  sha256: 'hash SHA-256',
  command: 'comando',
  cve: 'vulnerabilidade',
  incidentId: 'incidente',
  alertId: 'alerta EDR',
  deviceId: 'id do dispositivo',
  city: 'cidade',
  country: 'país',
  from: 'remetente',
  subject: 'assunto',
  also: 'outra conta',
  reporter: 'informado por',
  viaHost: 'equipamento de saída',
  viaIp: 'endereço de saída',
  text: 'observação',
};

const table = (separator: string) => (told: Told) => {
  const cell = (value: string) => (value.includes(separator) || /["\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const pairs = [['data', at(told)], ['regra', told.title], ...named(told, PORTUGUESE)];
  return [0, 1].map((column) => pairs.map((pair) => cell(pair[column] ?? '')).join(separator)).join('\r\n');
};
export const semicolons = table(';');
export const tabs = table('\t');

export function logfmt(told: Told): string {
  const pairs = named(told, { remoteIp: 'remote_addr', internalIp: 'local_addr', viaIp: 'forwarded_for', viaHost: 'gateway' });
  return `ts=${at(told)} level=warn logger=detections msg=${quoted(told.title)} ${pairs.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}`;
}

export function ciscoAsa(told: Told): string {
  const { remoteIp, internalIp, viaIp, user, ...rest } = told;
  const comment = named(rest, {}).map(([name, value]) => `${name} <${value}>`);
  return [
    `%ASA-4-733100: ${told.title}`,
    `%ASA-6-302013: Built outbound TCP connection 881204 for outside:${remoteIp ?? '0.0.0.0'}/443 to inside:${internalIp ?? '0.0.0.0'}/51022 (${viaIp ?? '0.0.0.0'}/51022)${user === undefined ? '' : ` (${user})`} at ${at(told)}`,
    `remark: ${comment.join(', ')}`,
  ].join('\n');
}

export function windowsEvent(told: Told): string {
  const names: Names = {
    host: 'Workstation',
    user: 'TargetUserName',
    also: 'SubjectUserName',
    remoteIp: 'IpAddress',
    internalIp: 'SourceAddress',
    command: 'CommandLine',
    viaHost: 'TargetServerName',
    viaIp: 'NatAddress',
    fileName: 'NewProcessName',
  };
  const data = named(told, names).map(([name, value]) => `<Data Name='${name}'>${escapeXml(value)}</Data>`);
  return `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Microsoft-Windows-Security-Auditing'/><EventID>4688</EventID><TimeCreated SystemTime='${at(told)}'/><Computer>coletor-logs-02</Computer></System><EventData><Data Name='RuleName'>${escapeXml(told.title)}</Data>${data.join('')}</EventData></Event>`;
}

export { PORTUGUESE };
