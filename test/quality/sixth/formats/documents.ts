import { at, escapeXml, FIELDS, named, type Told } from '../../company/told.js';
import { IPE_ROXO } from '../company.js';
import { PORTUGUESE } from './lines.js';

const { domain: OWN_DOMAIN, directory } = IPE_ROXO.profile;
const SECURITY_MAILBOX = `abuso@${OWN_DOMAIN}`;
const SERVICE_DESK = `central.servicos@${OWN_DOMAIN}`;

/** The named fields of an alert, without some. */
function others(told: Told, ...placed: (keyof Told)[]): [string, string][] {
  const known = new Set<string>(placed);
  return named(
    Object.assign({ title: told.title }, ...FIELDS.map((field) => (known.has(field) ? {} : { [field]: told[field] }))),
    PORTUGUESE,
  );
}

export function alertmanager(told: Told): string {
  const pairs = named(told, { viaHost: 'gateway', viaIp: 'gateway_address' }).map(
    ([name, value]) => `      ${name}: ${JSON.stringify(value)}`,
  );
  return [
    'receiver: soc',
    'alerts:',
    '  - status: firing',
    `    startsAt: ${at(told)}`,
    '    labels:',
    `      alertname: ${JSON.stringify(told.title)}`,
    ...pairs,
  ].join('\n');
}

export function ini(told: Told): string {
  const pairs = named(told, { remoteIp: 'remote', internalIp: 'local', viaIp: 'exit', viaHost: 'exit_host' }).map(
    ([name, value]) => `${name} = ${value}`,
  );
  return [`; ${told.title}`, '[alert]', `time = ${at(told)}`, ...pairs].join('\n');
}

export function htmlTable(told: Told): string {
  const rows = named(told, PORTUGUESE).map(([name, value]) => `<tr><th>${name}</th><td><span>${escapeXml(value)}</span></td></tr>`);
  return `<html><body><p>Prezados,<br>segue o alerta <b>${escapeXml(told.title)}</b>.</p><table border="1">${rows.join('')}</table><p><small>Enviado pela ${SERVICE_DESK} em ${at(told)}</small></p></body></html>`;
}

/** A mail that a relay passed on, with its lines in quoted-printable and its HTML part in base64. */
export function mimeMail(told: Told): string {
  const quotedPrintable = (text: string) =>
    Buffer.from(text)
      .toString('latin1')
      .replace(/[=\u0080-\u00ff]/g, (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  const body = [
    told.text ?? told.title,
    ...others(told, 'text', 'from', 'subject', 'reporter', 'viaHost', 'viaIp').map(([name, value]) => `${name}: ${value}`),
  ];
  return [
    `Received: from ${told.viaHost ?? 'gw-correio-01'} (${told.viaIp ?? '10.77.0.25'}) by caixas.${directory}; ${new Date(at(told)).toUTCString()}`,
    `From: ${told.from ?? SERVICE_DESK}`,
    `To: ${told.reporter ?? SECURITY_MAILBOX}`,
    `Subject: =?utf-8?B?${Buffer.from(told.subject ?? told.title).toString('base64')}?=`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="=_ipe"',
    '',
    '--=_ipe',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    ...body.map(quotedPrintable),
    '--=_ipe',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(`<p>${body.map(escapeXml).join('<br>')}</p>`).toString('base64'),
    '--=_ipe--',
  ].join('\r\n');
}

/** A reported mail below two answers. The first lines name the people who passed it on. */
export function mailThread(told: Told): string {
  const reporter = told.reporter ?? SECURITY_MAILBOX;
  const quotedLines = [
    `De: ${told.from ?? 'desconhecido'}`,
    ...(told.user === undefined ? [] : [`Para: ${told.user}`]),
    `Assunto: ${told.subject ?? told.title}`,
    '',
    told.text ?? told.title,
    ...others(told, 'from', 'user', 'subject', 'text', 'reporter').map(([name, value]) => `${name}: ${value}`),
  ];
  return [
    `De: ${SERVICE_DESK}`,
    `Para: ${SECURITY_MAILBOX}`,
    `Assunto: ENC: ENC: ${told.subject ?? told.title}`,
    '',
    'Repassando para análise.',
    '',
    `> De: ${reporter}`,
    `> Para: ${SERVICE_DESK}`,
    `> Recebi isto em ${at(told).slice(0, 10)}. Podem verificar?`,
    '>',
    ...quotedLines.map((line) => `>> ${line}`),
  ].join('\n');
}

export function glpiTicket(told: Told): string {
  return [
    `Chamado GLPI: ${told.title}`,
    `Requerente: ${told.reporter ?? SERVICE_DESK}`,
    `Grupo técnico: ${SECURITY_MAILBOX}`,
    `Abertura: ${at(told)}`,
    '-- Descrição --',
    ...others(told, 'reporter').map(([name, value]) => `${name.toUpperCase()}: ${value}`),
  ].join('\n');
}

export function jira(told: Told): string {
  const rows = others(told, 'text').map(([name, value]) => `||${name}|{{${value}}}|`);
  return [
    `h2. ${told.title}`,
    `*Reporter:* [~soc.plantao]  *Created:* ${at(told)}`,
    ...rows,
    ...(told.text === undefined ? [] : ['{quote}', told.text, '{quote}']),
  ].join('\n');
}

const dots = (value: string) => value.replaceAll('.', '[.]');
const DEFANGED = new Set(['remetente', 'domínio', 'endereço remoto', 'link']);

export function defangedMarkdown(told: Told): string {
  const rows = others(told).map(([name, value]) =>
    DEFANGED.has(name) ? `- **${name}**: ${dots(value).replace(/^http/, 'hxxp').replace('@', '[at]')}` : `- **${name}**: \`${value}\``,
  );
  return [`# ${told.title}`, `_${at(told)}_`, '', ...rows].join('\n');
}

/** Text copied from a page: with marks for the direction of writing around the values and spaces without width where a line may break. */
export function hiddenCharacters(told: Told): string {
  const hide = (value: string) => `\u202A\u2066${value.replace(/[./@]/g, '\u200B$&')}\u2069\u202C`;
  const lines = others(told, 'text').map(([name, value]) => `${name}:\u00A0${hide(value)}`);
  return [`Alerta: ${told.title}`, ...lines, told.text ?? '', `\u200E(${at(told)})`].join('\n');
}

export function chat(told: Told): string {
  const time = at(told).slice(11, 16);
  const said = others(told, 'text', 'reporter').map(([name, value]) => `${name} = ${value}`);
  return [
    `[${time}] ${told.reporter ?? 'soc.plantao'}: pessoal, apareceu "${told.title}"`,
    `[${time}] robô-soc: ${said.join(', ')}`,
    ...(told.text === undefined ? [] : [`[${time}] soc.plantao: ${told.text}`]),
    `[${time}] soc.plantao: alguém conhece?`,
  ].join('\n');
}
